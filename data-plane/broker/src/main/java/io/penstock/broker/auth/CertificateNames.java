package io.penstock.broker.auth;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** The names by which a client certificate can be a user: e-mail, DNS name, URI, then the subject. */
final class CertificateNames {
    private static final int EMAIL = 1;
    private static final int DNS = 2;
    private static final int URI = 6;

    private CertificateNames() {}

    /** The user among {@code users} that the certificate names, or null. */
    static String match(X509Certificate certificate, Set<String> users) {
        for (String name : literalNames(certificate)) {
            if (users.contains(name)) {
                return name;
            }
        }
        return matchSubject(certificate.getSubjectX500Principal(), users);
    }

    private static List<String> literalNames(X509Certificate certificate) {
        List<String> emails = new ArrayList<>();
        List<String> hosts = new ArrayList<>();
        List<String> uris = new ArrayList<>();
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            for (List<?> name : names == null ? List.<List<?>>of() : names) {
                if (!(name.get(1) instanceof String text)) {
                    continue;
                }
                switch ((Integer) name.get(0)) {
                    case EMAIL -> emails.add(text);
                    case DNS -> hosts.add(text);
                    case URI -> uris.add(text);
                    default -> {}
                }
            }
        } catch (CertificateParsingException e) {
            // A certificate whose names cannot be read has none.
            return List.of();
        }
        emails.addAll(hosts);
        emails.addAll(uris);
        return emails;
    }

    private static String matchSubject(X500Principal subject, Set<String> users) {
        if (subject.getName().isEmpty()) {
            return null;
        }
        String reordered = null;
        LdapName shown = parse(subject.getName());
        for (String user : users) {
            LdapName wanted = parse(user);
            // A user name that is no distinguished name can match only literally.
            if (shown == null || wanted == null || wanted.isEmpty()) {
                continue;
            }
            if (wanted.equals(shown)) {
                return user;
            }
            if (wanted.size() == shown.size() && parts(wanted).equals(parts(shown))) {
                reordered = user;
            }
        }
        return reordered;
    }

    private static LdapName parse(String name) {
        try {
            return new LdapName(name);
        } catch (InvalidNameException e) {
            return null;
        }
    }

    private static Set<Rdn> parts(LdapName name) {
        return new HashSet<>(name.getRdns());
    }
}
