package io.penstock.server.monitor;

/** What a browser sees at the root of the monitoring port. */
final class IndexPage {
    static final String TEXT = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Penstock server</title>
            <style>
            body { font-family: system-ui, sans-serif; margin: 2rem; line-height: 1.8 }
            code { color: #666 }
            </style>
            </head>
            <body>
            <h1>Penstock server</h1>
            <ul>
            <li><a href="varz">General</a> <code>varz</code></li>
            <li><a href="connz">Connections</a> <code>connz</code></li>
            <li><a href="subsz">Subscriptions</a> <code>subsz</code></li>
            <li><a href="accountz">Accounts</a> <code>accountz</code></li>
            <li><a href="accstatz">Account figures</a> <code>accstatz</code></li>
            <li><a href="jsz">JetStream</a> <code>jsz</code></li>
            <li><a href="routez">Routes</a> <code>routez</code></li>
            <li><a href="raftz">Replicated logs</a> <code>raftz</code></li>
            <li><a href="gatewayz">Gateways</a> <code>gatewayz</code></li>
            <li><a href="leafz">Leaf nodes</a> <code>leafz</code></li>
            <li><a href="healthz">Health</a> <code>healthz</code></li>
            <li><a href="metrics">Metrics</a> <code>metrics</code></li>
            </ul>
            </body>
            </html>
            """;

    private IndexPage() {}
}
