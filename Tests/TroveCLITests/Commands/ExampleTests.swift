import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import TroveCLI

/// What the help and the page show is what happens.
@Suite struct ExampleTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/command-line.md")

    /// A command and those below it, in the order of the help.
    private static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    private static let commands = all(TroveCommand.self)

    /// The section of help that stands last.
    private static let keys: Substring = "KEYS OF ENCRYPTED STORES AND PROPERTIES:"

    /// The example of a command's help.
    private static func example(_ command: any ParsableCommand.Type) -> String? {
        command.configuration.discussion.components(separatedBy: "Example: ").dropFirst().first
    }

    @Test func everyCommandHasAnExample() {
        #expect(Self.commands.count == 50)
        for command in Self.commands {
            #expect(Self.example(command)?.contains("trove ") == true, "\(command)")
            #expect(!command.configuration.abstract.isEmpty, "\(command)")
        }
    }

    /// In the order of the help, since some use what others before them made.
    @Test(arguments: Engine.persistent) func theExamplesOfTheHelpRun(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        for example in Self.commands.compactMap(Self.example) {
            let answer = try fixture.run(example, environment: CommandFixture.passphrases)
            let isRefused = engine == .tokyoCabinet && example.contains(" watch ")
            #expect(answer.status == (isRefused ? 3 : 0), "\(example): \(answer.output)\(answer.errors)")
        }
        #expect(try fixture.bytes(of: "cover.bin") == Music.cover)
    }

    /// Each `$ trove …` of the page gives exactly the lines below it.
    @Test(arguments: Engine.persistent) func theExamplesOfThePageRun(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        let blocks = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "```console\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        var count = 0
        for block in blocks {
            for part in "\n\(block)".components(separatedBy: "\n$ ").dropFirst() {
                let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                let expected = lines.count > 1 ? lines[1].trimmingCharacters(in: .newlines) : ""
                let answer = try fixture.run(String(lines[0]), environment: CommandFixture.passphrases.merging(["COLUMNS": "100"]) { $1 })
                if engine == .tokyoCabinet, lines[0].contains("trove watch ") {
                    // What the page says of this engine.
                    #expect(answer.errors.contains("so nobody can watch another one write"))
                } else {
                    #expect((answer.output + answer.errors).trimmingCharacters(in: .newlines) == expected, "\(lines[0])")
                }
                count += 1
            }
        }
        #expect(count >= 12)
    }

    @Test func theHelpFitsAnyWidth() throws {
        for command in Self.commands {
            let lines = TroveCommand.helpMessage(for: command, columns: 80).split(separator: "\n").filter { !$0.hasPrefix("USAGE") }
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
        }
    }

    /// What a person sees first of a command.
    @Test func theUsageIsShort() throws {
        let lines = { (help: String) in Set(help.split(separator: "\n").filter { !$0.hasPrefix("USAGE") }) }
        for command in Self.commands {
            let usage = HelpText.arranged(TroveCommand.helpMessage(for: command, columns: 80)).split(separator: "\n").first { $0.hasPrefix("USAGE: ") }
            #expect(usage.map { $0.count <= 150 && !$0.contains("passphrase") } == true, "\(command): \(usage ?? "")")
            // What nearly every command has stands behind what this one has, and nothing is lost.
            let plain = TroveCommand.helpMessage(for: command, columns: 80)
            let sections = HelpText.arranged(plain).components(separatedBy: "\n\n").compactMap { $0.split(separator: "\n").first }
            let hasKeys = plain.contains("--field-key-file ")
            #expect(sections.contains { $0 == Self.keys } == hasKeys && (!hasKeys || sections.last == Self.keys), "\(command)")
            #expect(lines(HelpText.arranged(plain)) == lines(plain).union(hasKeys ? [Self.keys] : []), "\(command)")
        }
        let help = try CommandFixture(.sqlite, nil).run("trove count --help").output
        #expect(help.contains("USAGE: trove count <store> [--wait <wait>] <model> [<criteria>] [<output>] [<keys>]\n") && help.contains("--field-passphrase-env"), "\(help)")
        #expect(help.contains("\n\n\(Self.keys)\n  --key-file "))
        #expect(try CommandFixture(.sqlite, nil).run("trove count").errors.contains("Usage: trove count <store> [--wait <wait>] <model> [<criteria>] [<output>] [<keys>]\n"))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func shellsGetCompletions(_ shell: String) throws {
        let answer = try CommandFixture(.sqlite, nil).run("trove --generate-completion-script \(shell)")
        #expect(answer.status == 0)
        #expect(answer.output.contains("doctor"))
        #expect(answer.errors.isEmpty)
    }
}
