import TroveBackendKit

/// Lets the objects of a ``ValidatedModel`` judge themselves before their records are written, and before anybody else is told of them.
struct RecordValidation {
    private let binding: ModelBinding
    private let validate: @Sendable (inout RecordDecoder) throws -> Void
    private unowned let transaction: WriteTransaction

    /// Nil for a model whose objects are not asked.
    init?(_ binding: ModelBinding, _ transaction: WriteTransaction) {
        guard let validate = binding.validate else { return nil }
        self.binding = binding
        self.validate = validate
        self.transaction = transaction
    }

    /// Throws when a record must not be stored.
    func judge(_ new: RecordView?) throws {
        guard let new, transaction.validatesObjects else { return }
        var decoder = RecordDecoder(new, layout: binding.layout)
        do {
            try validate(&decoder)
        } catch {
            transaction.noteRefusal(error)
            throw binding.recordError(error, field: decoder.field, key: new.key)
        }
    }
}

/// Whether objects are asked, and how often one, or a delegate for it, has refused that it is stored.
struct ValidationState {
    fileprivate var isOn: Bool
    fileprivate var refusalCount = 0

    init(isOn: Bool) { self.isOn = isOn }
}

extension WriteTransaction {
    /// Whether objects are asked before they are written.
    fileprivate var validatesObjects: Bool { validation.isOn }

    /// How many objects have refused to be stored, or were refused by a delegate, for those who tell their errors from others.
    package var refusalCount: Int { validation.refusalCount }

    /// Counts a refusal with an error of the program's own.
    func noteRefusal(_ error: any Error) {
        // What the engine refuses, as while it reads a lazy value, is no judgement of the object.
        if !(error is StorageError) { validation.refusalCount += 1 }
    }

    /// Runs `body`, which writes objects that are stored already, have been asked before, or do not stay, without asking them.
    func withoutValidation<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = validation.isOn
        validation.isOn = false
        defer { validation.isOn = outer }
        return try body()
    }
}
