/// What opening a store with models finds in its catalogue and adds to it.
struct SchemaRegistration {
    private(set) var entries: [LayoutEntry]
    private let reader: any StorageReader
    /// The entries as they were read, by number.
    private let stored: [UInt16: LayoutEntry]

    init(_ reader: any StorageReader) throws {
        self.reader = reader
        entries = try Catalogue.entries(reader)
        stored = Dictionary(entries.map { ($0.layout.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entries of the catalogue that have to be written.
    var changes: [LayoutEntry] {
        entries.filter { entry in
            guard let stored = stored[entry.layout.number] else { return true }
            return stored.isRetired != entry.isRetired || !stored.declaresTheSame(as: entry)
        }
    }

    /// A model as the program has to treat it: with its closed properties encrypted.
    ///
    /// - Parameter closed: the closed properties; nil when the program has no keys.
    /// - Throws: ``TroveError/fieldKeysMissing(model:property:)`` when a program declares a property in the clear that the one before it encrypted, and has no
    ///   keys: it could not read the values, and would store others in the clear.
    func schema(_ schema: ModelSchema, closed: Set<String>?) throws -> ModelSchema {
        let encryption = FieldEncryption(schema, of: schema.name, entries)
        guard let closed else {
            if let field = encryption.declaredInTheClear(closed: nil) { throw TroveError.fieldKeysMissing(model: schema.name, property: field.name) }
            return schema
        }
        return encryption.schema(schema, closed: closed)
    }

    /// Whether what would be written is only what models declare beside their layouts, without which a program that reads does as well.
    var onlyDescribes: Bool { changes.allSatisfy { stored[$0.layout.number]?.isRetired == $0.isRetired } }

    /// Takes down what a model declares of its current layout's fields and ids, and whether it has a function that is asked when an object is deleted.
    mutating func describe(_ layout: RecordLayout, _ attributes: [FieldAttributes], identity: [String], hasCustomDeleteRule: Bool) {
        guard let index = entries.firstIndex(where: { $0.layout.number == layout.number }) else { return }
        entries[index].identity = identity
        entries[index].hasCustomDeleteRule = hasCustomDeleteRule
        entries[index].attributes = zip(attributes, entries[index].attributes).map { declared, stored in
            var declared = declared
            declared.others = stored.others
            return declared
        }
    }

    /// Checks a model against all layouts its records may have, and finds or numbers its current one.
    ///
    /// - Parameter schema: as ``schema(_:closed:)`` returned it.
    /// - Throws: a ``TroveError`` that names the model and field when stored values could not be read.
    mutating func register<Object: Model>(_ type: Object.Type, _ schema: ModelSchema) throws -> RecordLayout {
        try Self.checkSuperclass(of: type)
        try Self.check(schema)
        try Self.checkScalars(of: schema.name, entries, reader)
        if entries.contains(where: { $0.isCollection && $0.layout.modelName == schema.name }) {
            throw TroveError.invalidModelName(
                schema.name, reason: "the store has a collection of documents of this name; give the model another name")
        }
        // What no record has under the name in other scalars is not this model's.
        for index in entries.indices where entries[index].layout.modelName == schema.name && !entries[index].layout.modelName.hasBytes(of: schema.name) {
            entries[index].isRetired = true
        }
        let id = IDSchema(Object.ID.self)
        if try hasRecords(schema) {
            try check(schema, id: id)
        } else {
            // Nothing is bound by what no record has. A program that writes in a layout that this one could read may go on.
            for index in entries.indices where entries[index].layout.modelName == schema.name && !entries[index].isRetired {
                entries[index].isRetired = problem(schema, id: id, entries[index]) != nil
            }
        }
        let fields = schema.fields.map { (name: $0.name, type: $0.type) }
        let draft = RecordLayout(number: 0, modelName: schema.name, version: schema.version, fields: fields)
        if let index = entries.firstIndex(where: { $0.layout.hasSameShape(as: draft) && $0.id == id }) {
            entries[index].isRetired = false
            return entries[index].layout
        }
        let layout = RecordLayout(number: try RecordLayout.number(after: entries.lastNumber), modelName: schema.name, version: schema.version, fields: fields)
        entries.append(LayoutEntry(layout, id: id, attributes: schema.fields.map { FieldAttributes($0) }))
        return layout
    }

    /// Whether the type has records.
    private func hasRecords(_ schema: ModelSchema) throws -> Bool {
        guard let keyspace = try reader.keyspace(named: schema.name) else { return false }
        return try !reader.isEmpty(keyspace)
    }

    /// Throws when the records of the model were stored under its name in other scalars: é may be one and two, and source files are rewritten.
    static func checkScalars(of name: String, _ entries: [LayoutEntry], _ reader: any StorageReader) throws {
        for entry in entries where entry.layout.modelName == name && !entry.layout.modelName.hasBytes(of: name) {
            guard let keyspace = try reader.keyspace(named: entry.layout.modelName), try !reader.isEmpty(keyspace) else { continue }
            throw otherScalars(name, "the store has objects", entry.layout.modelName)
        }
    }

    /// The error for a name that something has in other scalars.
    static func otherScalars(_ name: String, _ owner: String, _ other: String) -> TroveError {
        func scalars(_ text: String) -> String { text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
        return .invalidModelName(name, reason: "\(owner) under this name in other scalars, \(scalars(other)) and not \(scalars(name)); write it in that way")
    }

    /// The numbers of the layouts that the type's records have; nil when one is too damaged to tell.
    private func layoutsInUse(_ schema: ModelSchema) throws -> Set<UInt16>? {
        guard let keyspace = try reader.keyspace(named: schema.name) else { return [] }
        var found: Set<UInt16>? = []
        try reader.scan(in: keyspace) { _, record in
            guard record.byteCount >= RecordLayout.headerSize else {
                found = nil
                return .stop
            }
            found?.insert(record.unsafeLoadUnaligned(fromByteOffset: 2, as: UInt16.self).littleEndian)
            return .next
        }
        return found
    }

    /// Throws when records of the type may have a layout that the model cannot read.
    private mutating func check(_ schema: ModelSchema, id: IDSchema) throws {
        // Found out once, whatever the number of layouts that cannot be read.
        var inUse: Set<UInt16>??
        for index in entries.indices where entries[index].layout.modelName == schema.name && !entries[index].isRetired {
            guard let problem = problem(schema, id: id, entries[index]) else { continue }
            // A program may have been opened with the layout and saved nothing; then it binds nobody, and may not write in it any more.
            let found = try inUse ?? layoutsInUse(schema)
            inUse = .some(found)
            if found?.contains(entries[index].layout.number) ?? true { throw problem }
            entries[index].isRetired = true
        }
    }

    /// Why records of a layout could not be read as the model is declared now; nil when they can.
    private func problem(_ schema: ModelSchema, id: IDSchema, _ entry: LayoutEntry) -> (any Error)? {
        if !entry.id.isDeclared(by: id, of: schema) {
            return TroveError.idTypeChanged(model: schema.name, stored: entry.id.description, declared: id.description)
        }
        do {
            try Self.check(schema, canRead: entry.layout)
            return nil
        } catch {
            return error
        }
    }

    /// Throws when the model is a class that inherits another than an abstract model, whose properties nothing would store.
    private static func checkSuperclass<Object: Model>(of type: Object.Type) throws {
        guard var type = type as? AnyClass else { return }
        // Any class below an abstract one conforms; only the one that says it is it has its properties stored.
        while let abstract = _getSuperclass(type), (abstract as? any _InheritableClass.Type)?._$abstractClass == abstract { type = abstract }
        guard let superclass = _getSuperclass(type) else { return }
        #if canImport(ObjectiveC)
        // There every class of Swift has a root class.
        if _getSuperclass(superclass) == nil { return }
        #endif
        throw TroveError.invalidModel(
            model: Object.schema.name,
            reason: "it inherits \(superclass), whose properties would not be stored; write '@AbstractModel' before that class, "
                + "or declare them in the class itself")
    }

    /// Throws when a model cannot be kept under its name, or its fields under theirs.
    static func check(_ schema: ModelSchema) throws {
        if schema.name.isEmpty || schema.name.utf8.count > StorageLimits.maxKeyspaceNameSize {
            throw TroveError.invalidModelName(schema.name, reason: "a name has 1 to \(StorageLimits.maxKeyspaceNameSize) bytes")
        }
        if Catalogue.isReserved(schema.name) {
            throw TroveError.invalidModelName(schema.name, reason: "names that begin with \(Catalogue.reservedPrefix) are Trove's own")
        }
        let annexSpace = AnnexSpace.name(of: schema.name)
        if schema.fields.contains(where: \.type.isLazy), annexSpace.utf8.count > StorageLimits.maxKeyspaceNameSize {
            throw TroveError.invalidModelName(
                schema.name, reason: "the name of a model with lazy values has up to \(StorageLimits.maxKeyspaceNameSize - AnnexSpace.prefix.utf8.count) bytes")
        }
        var names: Set<String> = []
        for field in schema.fields where FieldType(field.type.description) != field.type {
            throw TroveError.schemaMismatch(model: schema.name, reason: "the catalogue cannot keep the type '\(field.type)' of \(field.name)")
        }
        for field in schema.fields where field.type.hasLazyPart {
            throw TroveError.schemaMismatch(
                model: schema.name, reason: "\(field.name) has a lazy value inside \(field.type.shownInErrors), where nothing could load it; a lazy value is a property by itself, such as Lazy<[Data]> or Lazy<Data?>")
        }
        for field in schema.fields where field.hasLazyReferences {
            throw TroveError.schemaMismatch(
                model: schema.name,
                reason: "\(field.name) has references in a lazy value, which would be no relationship: no inverse and no delete rule would follow them; "
                    + "references are read with their object, so make the property one of references")
        }
        try schema.checkEncryption()
        try schema.checkSavedDates()
        try schema.checkOriginalNames()
        for field in schema.fields where !names.insert(field.name).inserted {
            throw TroveError.duplicateField(model: schema.name, field: field.name)
        }
    }

    /// Throws when records of `layout` could not be read as the model declares them now.
    static func check(_ schema: ModelSchema, canRead layout: RecordLayout) throws {
        if layout.version > schema.version {
            throw TroveError.newerModelVersion(model: schema.name, stored: layout.version, declared: schema.version)
        }
        let plan = DecodingPlan(from: layout, to: schema)
        for (field, source) in zip(schema.fields, plan.sources) where source == .missing {
            let position = layout.position(of: field.name) ?? field.originalName.flatMap { layout.position(of: $0) }
            if let position, layout.version == schema.version {
                throw TroveError.fieldTypeChanged(
                    model: schema.name, field: field.name, stored: layout.fields[position].type, declared: field.type)
            }
            if field.hasDefault { continue }
            let claimed = Set(schema.fields.flatMap { [$0.name] + ($0.originalName.map { [$0] } ?? []) })
            let stored = layout.documentPosition == nil ? layout.fields.map(\.name) : []
            throw TroveError.fieldNeedsDefault(model: schema.name, field: field.name, unclaimed: stored.filter { !claimed.contains($0) })
        }
    }
}
