import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

struct EditCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Opens an object's JSON in an editor, checks and stores it.",
        discussion: """
            Without --editor it is that of VISUAL or EDITOR, or vi. Nothing is stored when the text was not changed, cannot be stored, or somebody else changed the object meanwhile.

            Example: trove edit music.store Song 5 --editor "sed -i s/1961/1962/" --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The id.")
    var id: String
    @Option(help: "The command that changes a file.")
    var editor: String?
    @OptionGroup var permission: WriteFlag
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try changes.check(permission, command: "edit")
        let object = try argument.read { store in
            try store.read { transaction in
                let model = try StoreModels(transaction)[model]
                guard let object = try EditableObject(model.id(of: id), of: model, in: transaction) else { throw CommandError.noSuchRecords(of: model, [id]) }
                return object
            }
        }
        let file = try EditorFile(object.json())
        guard let text = try file.edit(with: editor) else {
            try file.remove()
            throw ExitStatus.negative
        }
        var isStored = false
        do {
            let edited = try object.replaced(byJSON: text)
            try changes.change(argument, permission, command: "edit", options, on: output) { transaction, models in
                let model = try models[model]
                guard try object.isSame(as: EditableObject(model.id(of: id), of: model, in: transaction)) else {
                    throw CommandError.changedMeanwhile(path: file.path)
                }
                try edited.save(in: transaction, model)
            } afterwards: { _ in
                isStored = true
            }
        } catch let error as CommandError where error == .changedMeanwhile(path: file.path) {
            throw error
        } catch is ExitStatus {
            // The text says the same in other words.
            try file.remove()
            throw ExitStatus.negative
        } catch let error where isStored || error is Output.Closed {
            // Only the answer was not written.
            try file.remove()
            throw error
        } catch {
            // Whatever it was, the text is what a person wrote.
            throw CommandError.refusedEdit(reason: CommandAdvice.description(of: error), status: ExitStatus(error), path: file.path)
        }
        try file.remove()
    }
}

/// A text in a file of its own that a person changes.
private struct EditorFile {
    let path: String
    private let text: String

    init(_ text: String) throws {
        self.text = text + "\n"
        path = FileManager.default.temporaryDirectory.appending(path: "trove-\(UUID().uuidString).json").path
        guard FileManager.default.createFile(atPath: path, contents: Data(self.text.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw CommandError.unreadable(path: path, reason: "it could not be made")
        }
    }

    /// Lets the person change it; nil when it is as it was.
    ///
    /// - Throws: ``CommandError/editorFailed(status:path:)``; ``CommandError/refusedEdit(reason:status:path:)`` for what is no text.
    func edit(with editor: String?) throws -> String? {
        let environment = ProcessInfo.processInfo.environment
        let editor = [editor, environment["VISUAL"], environment["EDITOR"]].lazy.compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
        // An editor has to have the terminal, which a process in a group of its own would not.
        let status = system("\(editor) '\(path.replacing("'", with: "'\\''"))'")
        guard status == 0 else { throw CommandError.editorFailed(status: status > 255 ? status >> 8 : status, path: path) }
        let changed: String
        do {
            changed = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw CommandError.refusedEdit(reason: CommandAdvice.description(of: error), status: .usage, path: path)
        }
        return changed == text ? nil : changed
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
