package io.penstock.localstack;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the local stack; {@code ./penstock} is its only caller. */
@Command(
        name = "penstock",
        mixinStandardHelpOptions = true,
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            LogsCommand.class,
            NodeCommand.class,
            TokenCommand.class,
            MailSinkCommand.class
        })
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        CommandLine commands = new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
        commands.setExecutionExceptionHandler((failure, line, parsed) -> {
            if (failure instanceof StackException known) {
                System.err.println("penstock: " + known.getMessage());
            } else {
                System.err.println("penstock: " + failure);
                for (StackTraceElement frame : failure.getStackTrace()) {
                    System.err.println("    at " + frame);
                }
            }
            return 1;
        });
        System.exit(commands.execute(args));
    }
}
