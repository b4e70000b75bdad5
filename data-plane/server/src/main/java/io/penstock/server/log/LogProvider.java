package io.penstock.server.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Binds slf4j to the server's log. Public because slf4j makes it by its name. */
public final class LogProvider implements SLF4JServiceProvider {
    private ILoggerFactory loggers;
    private IMarkerFactory markers;
    private MDCAdapter context;

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        loggers = LogLogger::new;
        markers = new BasicMarkerFactory();
        context = new NOPMDCAdapter();
    }
}
