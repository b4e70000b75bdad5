package io.penstock.server;

/** The texts of {@code --help} and {@code --help_tls}. */
final class Usage {
    static final String TEXT = """

            Usage: nats-server [options]

            Server
                -a, --addr, --net HOST           address to listen on (default 0.0.0.0)
                -p, --port PORT                  client port, -1 for a random one (default 4222)
                -n, --name, --server_name NAME   name of the server (default its id)
                -P, --pid FILE                   file for the process id
                -m, --http_port PORT             port for monitoring over HTTP
                -ms, --https_port PORT           port for monitoring over HTTPS
                -c, --config FILE                configuration file; flags override it
                -t                               check the configuration and exit
                --test_reload FILE               with -t: whether a running server could change to this file
                                                 (exit code 3 when it needs a restart)
                -sl, --signal COMMAND[=PID]      send a signal to a running server: ldm, stop, quit, term,
                                                 reopen, reload; PID is a process id or a pid file
                --client_advertise HOST:PORT     address told to clients instead of our own
                --ports_file_dir DIR             write EXECUTABLE_PID.ports with the ports in use there

            Logging
                -l, --log FILE                   log file instead of standard error
                -T, --logtime                    time in front of each line (default true)
                --logtime_utc                    time in UTC (default false)
                -D, --debug                      debug lines
                -V, --trace                      protocol lines
                -VV                              protocol lines, of the system account too
                -DV                              debug and protocol lines
                -DVV                             debug and all protocol lines
                --log_size_limit BYTES           size at which the log file is rotated
                --max_traced_msg_len BYTES       longest text of a traced message (default unlimited)

            JetStream
                -js, --jetstream                 turn JetStream on
                -sd, --store_dir DIR             where its data is kept

            Authorization
                --user NAME                      user that clients must be
                --pass PASSWORD                  its password
                --auth TOKEN                     token that clients must show

            TLS
                --tls                            TLS for clients, without asking for their certificates
                --tlscert FILE                   certificate of the server
                --tlskey FILE                    its private key
                --tlsverify                      TLS for clients, who must show a certificate (true, false, optional)
                --tlscacert FILE                 authorities for certificates of clients

            Common
                -h, --help                       this text
                -v, --version                    version
                --help_tls                       more on TLS

            Flags are written with one dash or two; a value stands behind a space or '='.
            """;

    static final String TLS_TEXT = """
            TLS configuration is a block of the configuration file:

                tls {
                    cert_file: "server-cert.pem"
                    key_file:  "server-key.pem"
                    ca_file:   "ca.pem"        # for verify
                    verify:    true            # clients must show a certificate; "optional" only asks
                    timeout:   2               # seconds for the handshake
                    min_version: "1.2"         # or "1.3"
                    cipher_suites: ["TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]
                    handshake_first: auto      # true, false, auto, or a time to wait such as "300ms"
                    pinned_certs: ["…"]        # SHA-256 of the public keys of clients, hexadecimal
                }

            Cipher suites have the names of the TLS registry; without the setting the runtime chooses.
            """;

    private Usage() {}
}
