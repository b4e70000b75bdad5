package io.penstock.broker.sharing;

/** What came of an import when it was held against the exporting account. */
public sealed interface Resolution {
    /**
     * It works.
     *
     * @param expires unix seconds at which the activation ends, 0 for never
     */
    record Active(ExportSpec export, long expires) implements Resolution {}

    /** The exporting account does not allow it. */
    record Refused(String reason) implements Resolution {}

    /** The exporting account is not known yet; the import comes to life when it appears. */
    record Missing() implements Resolution {}
}
