/// Indexes that are made and dropped while a store is in use. The catalogue keeps them beside those that models declare.
extension WriteTransaction {
    /// Begins an index of a model that the program has, or of a collection; one that is there under its name is left as it is.
    ///
    /// - Returns: its number, and whether it is new.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``, ``TroveError/unknownModel(_:)``.
    func beginIndex(_ schema: IndexSchema, of modelName: String) throws -> (number: Int, isNew: Bool) {
        guard !Catalogue.isReserved(modelName) else { throw TroveError.unknownModel(modelName) }
        let model = try binding(named: modelName)
        // Nobody here would build it: of old records only the program that has the model tells all.
        guard model.storedEntry == nil else { throw TroveError.unknownModel(modelName) }
        try indexTable.checkSaving(modelName)
        try Self.checkIsData(schema, in: model)
        let fields = try IndexFields(schema, in: model)
        if let present = try indexEntry(named: schema.name, of: modelName) {
            guard present.schema == schema, present.types == fields.types, present.version == model.schema.version else {
                throw TroveError.invalidIndex(
                    model: modelName, index: schema.name, reason: "another index has this name; give the new one another name, or drop the other one first")
            }
            return (present.number, false)
        }
        let isEmpty = try writer.keyspace(named: modelName).map { try writer.isEmpty($0) } ?? true
        var number = 0
        try changeIndexes { directory, entries in
            number = try directory.takeNumber()
            entries.append(
                IndexCatalogueEntry(
                    number: number, modelName: modelName, version: model.schema.version, schema: schema, types: fields.types,
                    state: isEmpty ? .ready : .building(after: nil), isDeclared: false, defaults: fields.defaults))
        }
        return (number, true)
    }

    /// Throws when an index is of what the catalogue alone cannot keep right.
    private static func checkIsData(_ schema: IndexSchema, in model: ModelBinding) throws {
        func invalid(_ reason: String) -> TroveError { .invalidIndex(model: model.schema.name, index: schema.name, reason: reason) }
        switch schema.kind {
        case .ordered, .blind, .substring: break
        case .fullText where model.isCollection: throw invalid("a collection has one index of words at most; setFullText(_:) makes it")
        case .fullText: throw invalid("searches use the full-text indexes that the model declares; declare it there: @Attribute(.fullText) or #FullText")
        case .paths: throw invalid("a collection has exactly one index of all paths, from its first save on; setIndexing(_:) selects its content")
        }
        if TroveError.namesOfCollectionIndexes.contains(schema.name) {
            throw invalid("it is the name of an index that collections have; give this one another name")
        }
        let paths = schema.parts.map(\.path) + schema.covered + schema.sums
        if schema.derivedVersion != nil || paths.contains(where: { path in model.derived.contains { $0.name == path.field } }) {
            throw invalid("its value is computed by a function, which only a program that declares it has; declare the index in the model")
        }
    }

    /// Lets an index go that was made at run time; what is left of it is removed by building.
    ///
    /// - Throws: ``TroveError/undroppableIndex(model:index:reason:)`` when there is none of this name, the model declares it,
    ///   or it is a collection's index of all paths.
    func dropIndex(named name: String, of modelName: String) throws {
        guard let present = try indexEntry(named: name, of: modelName) else {
            let names = try indexTable.entries.filter { $0.modelName == modelName && $0.state != .dropping && !$0.isDeclared }.map { "'\($0.schema.name)'" }
            throw TroveError.undroppableIndex(
                model: modelName, index: name,
                reason: "there is no index of this name; "
                    + (names.isEmpty ? "the model has no index that was created at run time" : "created at run time were \(names.joined(separator: ", "))"))
        }
        guard !present.isDeclared else {
            let reason =
                if case .paths = present.schema.kind { "a collection always has its index of all paths; setIndexing(_:) selects the content" }
                else if try indexTable.collection(named: modelName) != nil { "it is the full text of the collection; setFullText(.none) ends it" }
                else { "its model declares it, so the next opening would create it again; remove it from the declaration" }
            throw TroveError.undroppableIndex(model: modelName, index: name, reason: reason)
        }
        _ = try dropUndeclaredIndexes { $0.number == present.number }
    }

    /// Lets indexes go that were made at run time; returns how many.
    func dropUndeclaredIndexes(where isUnwanted: (IndexCatalogueEntry) -> Bool = { _ in true }) throws -> Int {
        var count = 0
        try changeIndexes { _, entries in
            for place in entries.indices where !entries[place].isDeclared && entries[place].state != .dropping && isUnwanted(entries[place]) {
                entries[place].state = .dropping
                count += 1
            }
        }
        return count
    }

    /// Lets the index of a number go if it was made at run time and never was ready; returns whether it did.
    func giveUpIndex(_ number: Int) throws -> Bool { try dropUndeclaredIndexes { $0.number == number && $0.rebuilding == nil } > 0 }

    /// The index of this name; nil when there is none.
    private func indexEntry(named name: String, of modelName: String) throws -> IndexCatalogueEntry? {
        try indexTable.entries.first { $0.modelName == modelName && $0.schema.name == name && $0.state != .dropping }
    }

    private func changeIndexes(_ edit: (inout IndexDirectory, inout [IndexCatalogueEntry]) throws -> Void) throws {
        try flushIndexes()
        try change {
            try IndexDirectory.change(writer, edit)
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
        }
    }
}
