package io.penstock.controlplane.account;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import io.penstock.controlplane.web.SubjectPatterns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where messages on a subject of the account go instead. */
public record SubjectMapping(String subject, List<Destination> destinations) {
    private static final int MOST = 1000;

    /** A destination; `weight` in percent, 100 when null; `cluster` null for everywhere. */
    public record Destination(String subject, Long weight, String cluster) {}

    /** The mappings with defaults filled in. Fails with 422 when one is not possible. */
    static List<SubjectMapping> checked(List<SubjectMapping> given) {
        List<InvalidParameter> wrong = new ArrayList<>();
        Set<String> sources = new HashSet<>();
        if (given.size() > MOST) {
            wrong.add(at("mappings", "size", "at most " + MOST));
        }
        List<SubjectMapping> out = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            String field = "mappings[" + i + "]";
            SubjectMapping one = given.get(i);
            if (one == null
                    || one.subject() == null
                    || one.destinations() == null
                    || one.destinations().isEmpty()) {
                wrong.add(at(field, "required", "needs `subject` and at least one destination"));
                continue;
            }
            if (!SubjectPatterns.isOwn(one.subject()) || !sources.add(one.subject())) {
                wrong.add(at(field + ".subject", "subject", "a subject of your own, once"));
            }
            out.add(new SubjectMapping(one.subject(), destinations(one, field, wrong)));
        }
        if (!wrong.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, wrong);
        }
        return out;
    }

    private static List<Destination> destinations(SubjectMapping one, String at, List<InvalidParameter> wrong) {
        Map<String, Long> totals = new HashMap<>();
        List<Destination> out = new ArrayList<>();
        for (int i = 0; i < one.destinations().size(); i++) {
            String field = at + ".destinations[" + i + "]";
            Destination to = one.destinations().get(i);
            if (to == null || to.subject() == null || !SubjectPatterns.isDestination(to.subject())) {
                wrong.add(at(field + ".subject", "subject", "a subject, in which $1 and {{…}} refer to wildcards"));
                continue;
            }
            long weight = to.weight() == null ? 100 : to.weight();
            String cluster = to.cluster() == null ? "" : to.cluster();
            if (weight < 1 || weight > 100) {
                wrong.add(at(field + ".weight", "range", "from 1 to 100 percent"));
            }
            if (totals.merge(cluster, weight, Long::sum) > 100) {
                wrong.add(at(at + ".destinations", "sum", "weights add up to at most 100"));
            }
            out.add(new Destination(to.subject(), weight, to.cluster()));
        }
        return out;
    }

    private static InvalidParameter at(String field, String rule, String reason) {
        return new InvalidParameter(field, rule, reason, "body");
    }
}
