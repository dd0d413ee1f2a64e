import ArgumentParser
import Trove

struct BackupCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a copy of one moment for the same engine into a new file, while the store is in use.",
        discussion: "Example: trove backup music.store music.backup")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file to make.", completion: .file())
    var file: String

    func answer(on output: Output) throws {
        try CommandError.checkDestination(file)
        try argument.read { try $0.backUp(to: file) }
    }
}
