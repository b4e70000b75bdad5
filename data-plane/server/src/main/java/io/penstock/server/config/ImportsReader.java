package io.penstock.server.config;

import io.penstock.broker.sharing.ImportConfig;
import io.penstock.broker.sharing.ShareKind;
import java.util.ArrayList;
import java.util.List;

/** Reads the {@code imports} of an account. */
final class ImportsReader {
    private ImportsReader() {}

    /** An import with its place in the file, for checks once all accounts are known. */
    record Located(ImportConfig config, Position position) {}

    static List<Located> read(ConfigValue value, Problems problems) throws ConfigException {
        List<Located> imports = new ArrayList<>();
        for (ConfigValue item : Values.items("imports", value)) {
            try {
                ImportReader reader = new ImportReader(problems);
                reader.readAll(Values.block("the import", item));
                ImportConfig config = reader.build(item.position());
                requireUnique(config, imports, item.position());
                imports.add(new Located(config, item.position()));
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
        return imports;
    }

    private static void requireUnique(ImportConfig config, List<Located> others, Position position)
            throws ConfigException {
        for (Located other : others) {
            if (config.kind() == ShareKind.SERVICE
                    && other.config.kind() == ShareKind.SERVICE
                    && other.config.account().equals(config.account())
                    && local(other.config).equals(local(config))) {
                throw new ConfigException(
                        position,
                        "Duplicate service import subject \"" + local(config)
                                + "\", previously used in import for account \"" + config.account() + "\", subject \""
                                + other.config.subject() + "\"");
            }
        }
    }

    private static String local(ImportConfig config) {
        return config.to() == null ? config.subject() : config.to();
    }

    /** One import. */
    private static final class ImportReader extends BlockReader {
        private ShareKind kind;
        private String account;
        private String subject;
        private String prefix;
        private String to;
        private boolean share;
        private boolean allowTrace;
        private ConfigValue trace;

        ImportReader(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "stream" -> source(ShareKind.STREAM, value);
                case "service" -> source(ShareKind.SERVICE, value);
                case "prefix" -> prefix = Values.text(value);
                case "to" -> to = Values.text(value);
                case "share" -> share = Values.flag(value);
                case "allow_trace" -> {
                    trace = value;
                    allowTrace = Values.flag(value);
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void source(ShareKind newKind, ConfigValue value) throws ConfigException {
            if (kind != null) {
                throw new ConfigException(
                        value.position(),
                        "Detected " + Values.lower(newKind.name()) + " but already saw a " + Values.lower(kind.name()));
            }
            kind = newKind;
            SourceReader reader = new SourceReader();
            reader.readAll(Values.block(Values.lower(kind.name()) + " entry", value));
            if (account == null || account.isEmpty() || subject == null || subject.isEmpty()) {
                throw new ConfigException(value.position(), "Expect an account name and a subject");
            }
        }

        private ImportConfig build(Position position) throws ConfigException {
            if (kind != null && (account == null || subject == null)) {
                throw ConfigException.alreadyReported();
            }
            if (kind == null) {
                throw new ConfigException(position, "an import needs a 'stream' or a 'service'");
            }
            if (kind == ShareKind.STREAM && prefix != null && to != null) {
                throw new ConfigException(position, "Stream import can not have a 'prefix' and a 'to' property");
            }
            if (kind == ShareKind.SERVICE && trace != null) {
                throw new ConfigException(trace.position(), "Detected allow_trace directive on a non-stream");
            }
            return new ImportConfig(kind, account, subject, to, prefix, share, allowTrace);
        }

        /** {@code {account: …, subject: …}}. */
        private final class SourceReader extends BlockReader {
            SourceReader() {
                super(ImportReader.this.problems);
            }

            @Override
            protected boolean key(String key, ConfigValue value) throws ConfigException {
                switch (key) {
                    case "account" -> account = Values.text(value);
                    case "subject" -> subject = Values.text(value);
                    default -> {
                        return false;
                    }
                }
                return true;
            }
        }
    }
}
