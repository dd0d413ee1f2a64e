import ArgumentParser
import Trove
import TroveStoreTools

struct CompactCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Gives unused space of the store's file back to the file system.",
        discussion: "Example: trove compact music.store --write")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        let (before, after) = try permission.change(argument, command: "compact") { store in
            let before = try store.statistics().fileSize
            try store.compact()
            return (before, try store.statistics().fileSize)
        }
        try output.line("\(before.asByteCount) before, \(after.asByteCount) now")
    }
}
