import ArgumentParser
import Trove

struct DoctorCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Says what is wrong with a store, and what to do about it. Changes nothing.",
        discussion: """
            It looks at the file, opens the store for reading, and reads everything; --quick leaves the last out. The status is 1 when something is wrong.

            Example: trove doctor music.store
            """)

    @OptionGroup var argument: StoreArgument
    @Flag(help: "Do not read all records.")
    var quick = false
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let findings = try findings()
        let sheet = options.sheet(["level", "what", "what to do"].map { Column($0) }, on: output, usual: .line)
        for finding in findings { try sheet.add([.string(finding.level.rawValue), .string(finding.what), finding.advice.map { .string($0) } ?? .null]) }
        try sheet.finish()
        if findings.contains(where: { $0.level == .wrong }) { throw ExitStatus.negative }
    }

    /// What there is to say. What keeps the store from being opened or read is the last of it.
    private func findings() throws -> [Finding] {
        var findings: [Finding] = []
        do {
            try argument.read { store in
                findings.append(Finding(.fine, "\(store.capabilities.engine) \(store.capabilities.engineVersion), format \(store.format), opens"))
                for check in [Finding.ofIndexes, Finding.ofSpace] + (quick ? [] : [Finding.ofContents]) {
                    // Damage that one of them meets is told, and keeps no other from looking.
                    do { findings += try check(store) } catch where ExitStatus(error) == .damage { findings.append(Finding(error)) }
                }
            }
        } catch let error as CancellationError {
            // Nothing is wrong with the store: somebody stopped the command.
            throw error
        } catch {
            findings.append(Finding(error))
        }
        return findings
    }
}
