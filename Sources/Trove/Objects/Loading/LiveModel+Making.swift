extension LiveModel {
    /// The object that the context which reads has of the record, or a new one; without a context a new one that is in none.
    public static func makeObject(from record: inout RecordDecoder, in transaction: ReadTransaction) throws -> Self {
        guard let reading = transaction.reading else { return try transaction.newObject(&record) }
        return try reading.object(Self.self, &record, transaction)
    }
}

extension LiveObjectState {
    /// Takes an object that was just made of a record, and that nobody else has, into a context.
    func join(_ domain: ObjectDomain, as status: LiveObjectStatus, version: UInt64, group: FaultGroup?) {
        move(to: domain)
        self.status = status
        self.version = version
        self.group = group
    }

    /// Makes the object one without changes: its record is of this version.
    func becomeClean(version: UInt64) {
        status = .clean
        self.version = version
        forgetChanges()
    }

    /// Forgets what was changed, so that the context is told of the next change.
    func forgetChanges() {
        image = nil
        isRestored = false
        changedFields = FieldSet()
        notedEpoch = 0
    }
}

extension StoreCore {
    /// The models that are classes, by their names.
    var liveModels: [String: any LiveModel.Type] {
        var classes: [String: any LiveModel.Type] = [:]
        for binding in modelBindings {
            if let type = model(named: binding.schema.name) as? any LiveModel.Type { classes[binding.schema.name] = type }
        }
        return classes
    }
}
