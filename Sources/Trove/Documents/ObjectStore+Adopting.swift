extension ObjectStore {
    /// Gives a collection of documents a Swift type, under the collection's name, without rewriting it.
    ///
    /// ```swift
    /// @Model("notes") struct Note {
    ///     var id = ObjectID()
    ///     var title: String
    ///     var rating: Int?
    /// }
    /// let report = try store.adopt(Note.self, from: "notes")
    /// for misfit in report.misfits { print(misfit) }         // 0192f0c1-….title: the record lacks it, and it has no default value
    /// try store.close()                                      // and opened again with Note it has notes as objects
    /// ```
    ///
    /// Every document is read as the type once, which costs a scan of the collection; none is written. Each is read by its names from then on, and is stored in
    /// the type's layout when it is saved, by ``upgrade(_:batchSize:progress:)``, or when an index is built of a property that it lacks and whose
    /// default is no literal. Indexes that the type declares are built when the store is opened with it; that of all paths goes, and so does
    /// the collection's full text. Each document is judged by itself: that two have the same values in a unique index is found when that is built, and opening
    /// the store with the type throws ``TroveError/uniqueViolation(model:index:values:id:otherID:)``.
    ///
    /// Bags, and properties of models that are ``AnyReference``s, point at the documents that ``MisfitPolicy/move(to:)`` moves where they are then.
    /// References inside of documents are data and stay as they are.
    ///
    /// - Parameters:
    ///   - policy: what becomes of documents that do not fit. When it is ``MisfitPolicy/refuse`` and there are some, nothing is changed.
    ///   - unknown: whether a document does not fit that has names which are no properties of the type: their values are lost when it is saved as an object.
    /// - Throws: ``TroveError/invalidCollection(name:reason:)`` when there is no such collection; ``TroveError/invalidModel(model:reason:)`` when the type has
    ///   another name, or this program has opened the store with it; ``TroveError/idTypeChanged(model:stored:declared:)`` when its ids are not ``ObjectID``s;
    ///   ``TroveError/needsModel(_:reason:)``, ``TroveError/changedByAnotherProgram(model:reason:)`` or ``TroveError/encryptedRecord(model:id:)`` when this
    ///   program cannot change an object that points at a document which is moved. Then nothing is changed.
    @discardableResult
    public func adopt<Object: Model>(
        _ type: Object.Type, from collection: String, misfits policy: MisfitPolicy = .refuse, unknownProperties unknown: UnknownProperties = .refused
    ) throws -> AdoptionReport {
        try write { try $0.adopt(type, from: collection, policy, unknown) }
    }

    /// Gives a collection of documents a Swift type, under the collection's name, without rewriting it.
    @discardableResult
    public func adopt<Object: Model>(
        _ type: Object.Type, from collection: String, misfits policy: MisfitPolicy = .refuse, unknownProperties unknown: UnknownProperties = .refused
    ) async throws -> AdoptionReport {
        try await write { try $0.adopt(type, from: collection, policy, unknown) }
    }
}

extension WriteTransaction {
    private static let maxMisfits = 1_000

    fileprivate func adopt<Object: Model>(
        _ type: Object.Type, from name: String, _ policy: MisfitPolicy, _ unknown: UnknownProperties
    ) throws -> AdoptionReport {
        let collection = try openCollection(named: name)
        guard let keyspace = collection.keyspace, var entry = try Catalogue.entry(collection.binding.layout.number, writer) else {
            throw TroveError.invalidCollection(name: name, reason: "there is none of this name to adopt")
        }
        let binding = try adoptingBinding(type, name)
        var report = AdoptionReport()
        var unfit: [ObjectID] = []
        let properties = Object.schema.fields.flatMap { [$0.name] + ($0.originalName.map { [$0] } ?? []) }
        try reader.scan(in: keyspace) { key, record in
            let id = try key.withUnsafeBytes { try ObjectID(keyBytes: [UInt8]($0)) }
            guard let misfit = try misfit(type, record, key, OpenModel(binding), unknown == .ignored ? nil : properties, id) else {
                report.fitting += 1
                return .next
            }
            unfit.append(id)
            if report.misfits.count < Self.maxMisfits { report.misfits.append(misfit) }
            return .next
        }
        report.misfitCount = unfit.count
        guard case .move(let other) = policy else {
            if unfit.isEmpty { try makeModel(of: &entry, &report) }
            return report
        }
        guard other != name else {
            throw TroveError.invalidCollection(name: other, reason: "it is the one that is adopted; name another for what does not fit")
        }
        for id in unfit {
            if let document = try documents(name).fetch(id: id) { try documents(other).insert(document) }
        }
        try redirect(unfit.map { RecordMove(old: AnyReference(collection: name, id: $0), new: AnyReference(collection: other, id: $0)) })
        try documents(name).delete(ids: unfit)
        try makeModel(of: &entry, &report)
        return report
    }

    /// The type as it would read the documents.
    private func adoptingBinding<Object: Model>(_ type: Object.Type, _ name: String) throws -> ModelBinding {
        let schema = type.schema
        guard schema.name.hasBytes(of: name) else {
            throw TroveError.invalidModel(model: schema.name, reason: "it adopts '\(name)' under this name: @Model(\"\(name)\")")
        }
        try SchemaRegistration.check(schema)
        guard Object.ID.self == ObjectID.self else { throw TroveError.idTypeChanged(model: name, stored: "ObjectID", declared: "\(Object.ID.self)") }
        let layout = RecordLayout(number: 0, modelName: name, version: schema.version, fields: schema.fields.map { ($0.name, $0.type) })
        return try ModelBinding(type, layout: layout)
    }

    /// What is wrong with a document as an object; nil when it is one.
    private func misfit<Object: Model>(
        _ type: Object.Type, _ record: RawSpan, _ key: RawSpan, _ model: OpenModel, _ properties: [String]?, _ id: ObjectID
    ) throws -> AdoptionReport.Misfit? {
        let stored = try storedRecord(record, key: key)
        guard case .object(let values)? = stored[DocumentField.root] else {
            return .init(id: id, property: DocumentField.root, reason: "it has no values by names")
        }
        if let properties {
            if let name = values.keys.filter({ name in !properties.contains { $0.hasBytes(of: name) } }).min(by: { $0.precedesInBytes($1) }) {
                return .init(id: id, property: name, reason: "\(type) has no such property")
            }
            // The value under the original name would be lost, unless another property has that name now.
            for field in type.schema.fields {
                guard let original = field.originalName, values.value(named: original) != nil, values.value(named: field.name) != nil,
                    !type.schema.fields.contains(where: { $0.name.hasBytes(of: original) })
                else { continue }
                return .init(id: id, property: original, reason: "it is the original name of \(field.name), which the document has too")
            }
        }
        do {
            try withDecoder(record, key: key, model) { _ = try type.newObject(from: &$0) }
            return nil
        } catch TroveError.decodingFailed(_, let field, _, let reason) {
            return .init(id: id, property: field, reason: reason)
        } catch TroveError.upgradeFailed(_, _, let underlying) {
            return .init(id: id, property: DocumentField.root, reason: "\(underlying)")
        }
    }

    /// Makes a model of a collection whose documents all fit.
    private func makeModel(of entry: inout LayoutEntry, _ report: inout AdoptionReport) throws {
        let name = entry.layout.modelName
        entry.isCollection = false
        let model = entry
        try flushIndexes()
        try change {
            try Catalogue.write(model, writer)
            try IndexDirectory.change(writer) { _, entries in
                // The type has indexes of its own.
                for place in entries.indices where entries[place].modelName == name {
                    let kind = entries[place].schema.kind
                    if kind.isOfPaths || kind.isFullText { entries[place].state = .dropping }
                }
            }
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
        }
        forgetModels()
        report.isAdopted = true
    }
}

/// What came of giving a collection of documents a Swift type, see ``ObjectStore/adopt(_:from:misfits:unknownProperties:)``.
public struct AdoptionReport: Sendable, Hashable {
    /// A document that the type cannot have.
    public struct Misfit: Sendable, Hashable, CustomStringConvertible {
        /// The document's id.
        public let id: ObjectID
        /// The property that it lacks, that has another value than the property takes, or that the type does not have.
        public let property: String
        /// What is wrong with it.
        public let reason: String

        public var description: String { "\(id).\(property): \(reason)" }
    }

    /// Whether the documents are objects of the type now. The store has to be opened with it to use them so.
    public internal(set) var isAdopted = false
    /// How many documents fit.
    public internal(set) var fitting = 0
    /// How many do not.
    public internal(set) var misfitCount = 0
    /// The first thousand that do not, in the order of their ids, each with what is wrong first.
    public internal(set) var misfits: [Misfit] = []
}

/// What becomes of documents that a type cannot have, when it adopts their collection.
public enum MisfitPolicy: Sendable, Hashable {
    /// The collection stays as it is, when there are any.
    case refuse
    /// They are moved to another collection, which is made when there is none. Bags, and models' properties of the type ``AnyReference``, point at them there
    /// from then on; references inside of documents do not follow.
    case move(to: String)
}
