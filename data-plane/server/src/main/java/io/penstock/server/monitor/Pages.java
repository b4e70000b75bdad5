package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.system.AccountReports;
import io.penstock.broker.system.SystemRequest;
import io.penstock.broker.system.SystemRequestException;
import io.penstock.broker.system.SystemServices;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All monitoring pages by name; the same over HTTP and over the system account. */
public final class Pages {
    private final Map<String, Page> pages = new LinkedHashMap<>();
    private final Healthz health;
    private final Source source;

    public Pages(Source source) {
        this.source = source;
        EmptyPages empty = new EmptyPages(source);
        Page subscriptions = new Subsz(source);
        health = new Healthz(source);
        pages.put("varz", new Varz(source));
        pages.put("connz", new Connz(source));
        pages.put("routez", new Routez(source));
        pages.put("gatewayz", empty::gateways);
        pages.put("leafz", empty::leafNodes);
        pages.put("subsz", subscriptions);
        pages.put("subscriptionsz", subscriptions);
        pages.put("accountz", query -> accountz(source.accounts(), query));
        pages.put("accstatz", query -> source.accounts().stats(List.of(), query.flag("unused", "include_unused")));
        pages.put("jsz", new Jsz(source));
        pages.put("raftz", query -> raft(source.jetStream(), query));
    }

    private static ObjectNode accountz(AccountReports accounts, Query query) throws PageException {
        try {
            return accounts.accounts(query.text("acc", "account"));
        } catch (SystemRequestException e) {
            // Over HTTP an account that is not there is a bad question.
            throw new PageException(400, e.getMessage());
        }
    }

    private static ObjectNode raft(JetStreamSource jetStream, Query query) throws PageException {
        String account = query.text("acc", "account");
        ObjectNode page = jetStream == null ? null : jetStream.raft(query.text("group", "group"));
        if (page == null || page.isEmpty() || !(account.isEmpty() || page.has(account))) {
            throw new PageException(404, "No Raft nodes returned. Check supplied filters.");
        }
        return page;
    }

    /** The page of this name, or null. */
    Page page(String name) {
        return pages.get(name);
    }

    Healthz health() {
        return health;
    }

    /** Lets the system account ask for these pages. */
    public void registerWith(SystemServices services) {
        for (String name : List.of("VARZ", "CONNZ", "SUBSZ", "ROUTEZ", "GATEWAYZ", "LEAFZ", "JSZ", "RAFTZ")) {
            Page page = pages.get(name.toLowerCase(Locale.ROOT));
            services.register(name, request -> answer(page, request));
        }
        services.register("HEALTHZ", this::answerHealth);
        services.jetStreamStats(this::jetStream);
    }

    private ObjectNode jetStream() {
        JetStreamSource jetStream = source.jetStream();
        if (jetStream == null) {
            return null;
        }
        ObjectNode figures = jetStream.varz();
        // As with nats-server, the folder is nobody's business on other machines.
        figures.withObject("config").remove("store_dir");
        return figures;
    }

    private static ObjectNode answer(Page page, SystemRequest request) throws SystemRequestException {
        try {
            return page.answer(new JsonQuery(request.options(), request.account()));
        } catch (PageException e) {
            throw e.isElsewhere()
                    ? SystemRequestException.elsewhere(e.getMessage())
                    : new SystemRequestException(e.code(), e.getMessage());
        }
    }

    private ObjectNode answerHealth(SystemRequest request) throws SystemRequestException {
        try {
            Healthz.Health answer = health.answer(new JsonQuery(request.options(), request.account()));
            return answer.body().put("status_code", answer.code());
        } catch (PageException e) {
            throw new SystemRequestException(e.code(), e.getMessage());
        }
    }
}
