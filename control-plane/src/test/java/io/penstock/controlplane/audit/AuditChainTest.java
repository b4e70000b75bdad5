package io.penstock.controlplane.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditChainTest {
    @Test
    void everyChangeOfTheChainIsFound() {
        assertThat(AuditChain.firstBroken(chain())).isEmpty();

        List<AuditEntity> changed = chain();
        changed.get(2).details = "{\"name\":\"forged\"}";
        assertThat(AuditChain.firstBroken(changed)).contains(changed.get(2));

        List<AuditEntity> dropped = chain();
        dropped.remove(1);
        assertThat(AuditChain.firstBroken(dropped)).contains(dropped.get(1));

        List<AuditEntity> swapped = chain();
        String actor = swapped.get(3).actorId;
        swapped.get(3).actorId = swapped.get(3).actorName;
        swapped.get(3).actorName = actor;
        assertThat(AuditChain.firstBroken(swapped)).contains(swapped.get(3));
    }

    private static List<AuditEntity> chain() {
        List<AuditEntity> out = new ArrayList<>();
        String previous = AuditChain.GENESIS;
        for (int i = 1; i <= 5; i++) {
            AuditEntity event = new AuditEntity();
            event.id = "evt_" + i;
            event.orgId = "org_1";
            event.seq = i;
            event.time = Instant.parse("2026-11-30T09:00:00Z").plusSeconds(i);
            event.actorKind = "user";
            event.actorId = "usrp_1";
            event.actorName = "ines";
            event.action = "stream.created";
            event.resource = "/v1/x";
            event.result = "success";
            event.details = "{}";
            event.hash = AuditChain.hash(previous, event);
            previous = event.hash;
            out.add(event);
        }
        return out;
    }
}
