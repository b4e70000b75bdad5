package io.penstock.server;

import io.penstock.broker.Broker;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.NodeDescription;
import io.penstock.consensus.RaftEngine;
import io.penstock.consensus.link.LinkOptions;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.consensus.link.TcpPeerLinks;
import io.penstock.consensus.raft.RaftNode;
import io.penstock.consensus.raft.RaftOptions;
import io.penstock.jetstream.ClusterJoin;
import io.penstock.jetstream.PlacementGroups;
import io.penstock.jetstream.cluster.ClusterNode;
import io.penstock.jetstream.cluster.ClusterReports;
import io.penstock.jetstream.cluster.ClusterSettings;
import io.penstock.jetstream.runtime.ClusterMember;
import io.penstock.jetstream.runtime.Host;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.log.ServerLog;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.Journal;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/** What makes this node's JetStream a member of a cluster: links to the other nodes, replicated logs, metadata. */
final class ClusterPart implements ClusterJoin {
    private static final int HALT_CODE = 70;
    private static final long ANSWER_SECONDS = 5;
    private static final long HAND_OVER_SECONDS = 5;

    private final Broker broker;
    private final ServerOptions options;
    private final String name;
    private final Disk disk;
    private final Path directory;
    private final Consumer<String> accounts;
    private final PeerLinks links;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("metadata-writer").daemon().factory());
    private volatile ClusterNode node;

    private ClusterPart(
            Broker broker,
            ServerOptions options,
            String name,
            Disk disk,
            Path directory,
            Consumer<String> accounts,
            PeerLinks links) {
        this.broker = broker;
        this.options = options;
        this.name = name;
        this.disk = disk;
        this.directory = directory;
        this.accounts = accounts;
        this.links = links;
    }

    /**
     * Opens the link, or answers null on a node alone.
     *
     * @param disk JetStream's, as its directory
     * @param accounts hears of accounts in use on other nodes
     */
    static ClusterPart open(
            Broker broker, ServerOptions options, String name, Disk disk, Path directory, Consumer<String> accounts)
            throws Node.FatalException {
        ClusterOptions cluster = options.broker().cluster();
        if (cluster == null || options.jetStream() == null) {
            return null;
        }
        Address listen = listen(cluster);
        String secret = cluster.user() == null ? "" : cluster.user() + ":" + cluster.password();
        LinkOptions link = LinkOptions.local(name, options.clusterName(), secret)
                .withAddress(listen.host(), listen.port())
                .withTls(PeerTls.of(cluster.tls()), cluster.tls() != null, cluster.tls() != null);
        PeerLinks links;
        try {
            links = TcpPeerLinks.open(link);
        } catch (RuntimeException e) {
            throw new Node.FatalException(
                    "Can't open the peer link on " + listen.host() + ":" + listen.port() + ": " + e.getMessage());
        }
        broker.announcePeerLink(reachable(listen.host(), cluster), links.port());
        ServerLog.get().info("Listening for peer connections on " + listen.host() + ":" + links.port());
        return new ClusterPart(broker, options, name, disk, directory, accounts, links);
    }

    private record Address(String host, int port) {}

    private static Address listen(ClusterOptions cluster) {
        String configured = cluster.peerListen();
        if (configured == null) {
            return new Address(cluster.host(), 0);
        }
        int colon = configured.lastIndexOf(':');
        return new Address(
                configured.substring(0, colon), Math.max(0, Integer.parseInt(configured.substring(colon + 1))));
    }

    /** The host other nodes dial: the one listened on, or where there is more than one, what is advertised. */
    private static String reachable(String host, ClusterOptions cluster) {
        boolean any = host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
        if (!any) {
            return host;
        }
        if (cluster.advertise() != null) {
            int colon = cluster.advertise().lastIndexOf(':');
            return colon < 0 ? cluster.advertise() : cluster.advertise().substring(0, colon);
        }
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress() && a.getAddress().length == 4)
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElse("127.0.0.1");
        } catch (SocketException e) {
            return "127.0.0.1";
        }
    }

    @Override
    public RaftEngine raft(Journal journal, Disk disk, Path raftDirectory) {
        return RaftNode.open(new RaftOptions(name, raftDirectory, disk, journal, links, ClusterPart::halt));
    }

    /** Going on would break what was promised. */
    private static void halt(String reason) {
        ServerLog.get().fatal("replication cannot go on safely: " + reason);
        Runtime.getRuntime().halt(HALT_CODE);
    }

    @Override
    public ClusterMember member(Host host, PlacementGroups groups, RaftEngine raft) {
        String unique = options.jetStream().uniqueTag();
        ClusterSettings settings = new ClusterSettings(
                name,
                options.clusterName(),
                options.tags(),
                unique == null ? "" : unique,
                options.jetStream().limits().maxHaAssets(),
                broker.cluster()::expectedNodes,
                accounts,
                ClusterSettings.BALANCE_NANOS);
        node = new ClusterNode(host, groups, raft, links, settings, disk, directory.resolve("cluster"), writer);
        return node;
    }

    /** JetStream has started: meets the other nodes and answers the system account. */
    void begin() {
        broker.cluster().addListener(new ClusterView.Listener() {
            @Override
            public void nodeUp(NodeDescription peer) {
                if (peer.peerPort() > 0) {
                    links.peer(peer.name(), peer.peerHost(), peer.peerPort());
                }
            }

            @Override
            public void nodeDown(String peer, boolean refused) {
                // The link finds out by itself.
            }
        });
        links.addListener(new PeerLinks.Listener() {
            @Override
            public void up(String peer) {
                // Routes are there before links.
            }

            @Override
            public void silent(String peer) {
                broker.cluster().doubt(peer);
            }

            @Override
            public void down(String peer) {
                broker.cluster().doubt(peer);
            }

            @Override
            public void refused(String peer) {
                // Routes to a process that is gone are gone too.
            }
        });
        node.serveSystem(broker.accounts().system().internalClient(ConnectionKind.JETSTREAM));
    }

    /** Asks for a report; {@code otherwise} when there is no answer. */
    <T> T ask(Function<ClusterReports, T> question, T otherwise) {
        try {
            return node.ask(question).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        } catch (ExecutionException | TimeoutException e) {
            return otherwise;
        }
    }

    /** Lets the other nodes lead what this one leads; waits a moment for it. */
    void handOver() {
        try {
            node.handOver().get(HAND_OVER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            ServerLog.get().warn("Not everything this node leads found another leader in time: " + e);
        }
    }

    String systemAccount() {
        return broker.accounts().system().name();
    }

    /** Closes the links, after JetStream. */
    void close() {
        links.close();
        writer.shutdown();
    }
}
