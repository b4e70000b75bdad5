package io.penstock.broker.engine;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerOptions;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.WebSocketOptions;
import java.util.concurrent.CountDownLatch;

/** A bare broker for measurements: port, loops, transport. */
public final class BenchMain {
    private BenchMain() {}

    public static void main(String[] args) throws Exception {
        BrokerOptions options = BrokerOptions.builder()
                .host("127.0.0.1")
                .port(args.length > 0 ? Integer.parseInt(args[0]) : 0)
                .eventLoops(args.length > 1 ? Integer.parseInt(args[1]) : 0)
                .transport(args.length > 2 ? BrokerOptions.Transport.valueOf(args[2]) : BrokerOptions.Transport.AUTO)
                .webSocket(args.length > 3 ? WebSocketOptions.plain("127.0.0.1", Integer.parseInt(args[3])) : null)
                .build();
        ServerIdentity identity =
                new ServerIdentity("NBENCH", "bench", ServerIdentity.PROTOCOL_VERSION, null, null, null, "0.1.0");
        Broker broker = BrokerEngine.create(options, identity);
        broker.start().toCompletableFuture().get();
        System.out.println("listening on " + broker.clientAddress());
        new CountDownLatch(1).await();
    }
}
