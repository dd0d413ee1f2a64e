import ArgumentParser
import Trove
import TroveCrypto

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Shows and changes the keys of an encrypted store, or of encrypted properties.",
        discussion: """
            They are those of the store where all of it is encrypted, and otherwise those of its properties.

            Example: trove keys status sealed.store --passphrase-env MUSIC
            """,
        subcommands: [KeysStatusCommand.self, KeysAddCommand.self, KeysRemoveCommand.self, KeysChangeCommand.self, KeysRotateCommand.self])
}

struct KeysStatusCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tells how many keys open what is encrypted, and how many values each data key seals.",
        discussion: """
            Of properties it reads every object, and tells in which values are not encrypted yet.

            Example: trove keys status sealed.store --passphrase-env MUSIC
            """)

    @OptionGroup var argument: StoreArgument
    @Flag(name: .customLong("fields"), help: "The keys of properties, where the store is encrypted too.")
    var ofFields = false
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.with(.readOnly) { open in
            let sheet = options.sheet(["what", "name", "count"].map { Column($0) }, on: output)
            func add(_ what: String, _ name: String?, _ count: Int?) throws {
                try sheet.add([.string(what), name.map { .string($0) } ?? .null, count.map { .int(Int64($0)) } ?? .null])
            }
            func add(_ keys: [SealingStatus.DataKey]) throws {
                for key in keys {
                    try add(key.isActive ? "values sealed with the data key" : "values sealed with an earlier data key", "\(key.number)", key.sealedValueCount)
                }
            }
            switch try KeySubject(of: open, isOfFields: ofFields, argument.store) {
            case .store(let backend):
                let status = try backend.sealingStatus()
                try add("keys and passphrases", nil, status.rootKeyCount)
                try add(status.dataKeys)
                try add("commits", nil, Int(clamping: status.commitCount))
            case .fields(let store):
                let status = try store.fieldSealingStatus()
                try add("keys and passphrases", nil, status.rootKeyCount)
                try add(status.dataKeys)
                for (name, count) in status.plainValueCounts.sorted(by: { $0.key < $1.key }) { try add("values not encrypted yet", name, count) }
                for name in status.closedProperties.sorted() { try add("closed property", name, nil) }
            }
            try sheet.finish()
        }
    }
}

struct KeysAddCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Lets one more key or passphrase open what is encrypted.",
        discussion: "Example: trove keys add sealed.store --passphrase-env MUSIC --new-key-file music.key --write")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var keys: KeyChange
    @OptionGroup var permission: WriteFlag
    @OptionGroup(title: "The new key") var newKey: NewKeyOptions

    func answer(on output: Output) throws {
        try keys.run("keys add", on: argument, permission) { subject, _ in
            let key = try newKey.requiredKey(for: argument.store)
            switch subject {
            case .store(let backend): try backend.addKey(key)
            case .fields(let store): try store.addFieldKey(key)
            }
        }
    }
}

struct KeysRemoveCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Shuts out the key or passphrase that opened the store.",
        discussion: """
            The key that is given to open what is encrypted is the one that goes. Whoever kept an earlier copy of the store can still use it: 'keys change' and 'keys rotate' \
            are for that.

            Example: trove keys remove sealed.store --passphrase-env MUSIC --write
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var keys: KeyChange
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try keys.run("keys remove", on: argument, permission) { subject, open in
            switch (subject, open.storeKey, open.fieldKey) {
            case (.store(let backend), let key?, _): try backend.removeKey(key)
            case (.fields(let store), _, let key?): try store.removeFieldKey(key)
            default: throw CommandError.hasNoKeys(path: argument.store)
            }
        }
    }
}

struct KeysChangeCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Makes a new key or passphrase the only one that opens what is encrypted.",
        discussion: """
            Nothing is sealed anew: it takes milliseconds, and 'keys rotate' does that.

            Example: trove keys change sealed.store --key-file music.key --new-key-file records.key --write
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var keys: KeyChange
    @OptionGroup var permission: WriteFlag
    @OptionGroup(title: "The new key") var newKey: NewKeyOptions

    func answer(on output: Output) throws {
        try keys.run("keys change", on: argument, permission) { subject, _ in
            let key = try newKey.requiredKey(for: argument.store)
            switch subject {
            case .store(let backend): try backend.changeKey(to: key)
            case .fields(let store): try store.changeFieldKey(to: key)
            }
        }
    }
}

struct KeysRotateCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Seals everything anew with a new data key, and destroys the old one.",
        discussion: """
            Others may use the store meanwhile. What breaks off goes on with the next call.

            Example: trove keys rotate sealed.store --key-file records.key --write
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var keys: KeyChange
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try ProgressLine.during("Sealing") { progress in
            try keys.run("keys rotate", on: argument, permission) { subject, _ in
                switch subject {
                case .store(let backend):
                    let total = try backend.sealingStatus().dataKeys.reduce(0) { $0 + $1.sealedValueCount }
                    try backend.rotateDataKey { try progress.update(max(0, total - $0), of: total) }
                case .fields(let store): try store.rotateFieldKey { try progress.update($0, of: nil) }
                }
            }
        }
    }
}

/// What keys are of.
enum KeySubject {
    case store(EncryptedBackend)
    case fields(ObjectStore)

    /// - Parameter isOfFields: whether the keys of properties are meant where the store is encrypted too.
    /// - Throws: ``CommandError/isNotEncrypted(path:)``.
    init(of open: OpenStore, isOfFields: Bool, _ path: String) throws {
        if let encryption = open.encryption, !isOfFields {
            self = .store(encryption)
        } else if open.store.fieldKeys != nil {
            self = .fields(open.store)
        } else {
            throw CommandError.hasNoKeys(path: path)
        }
    }
}

/// What a change of keys is told.
struct KeyChange: ParsableArguments {
    @Flag(name: .customLong("fields"), help: "The key of properties, where the store is encrypted too.")
    var ofFields = false

    /// Calls `body` with what the keys are of, and the open store.
    func run(_ command: String, on argument: StoreArgument, _ permission: WriteFlag, _ body: (KeySubject, OpenStore) throws -> Void) throws {
        try permission.check(command)
        try argument.with(.readWrite) { try body(KeySubject(of: $0, isOfFields: ofFields, argument.store), $0) }
    }
}
