/// The full text of collections, which the catalogue keeps beside the index of all paths.
extension WriteTransaction {
    /// Sets which texts of a collection's documents have their words in an index; the index is built later, where there are documents.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``, ``TroveError/invalidCollection(name:reason:)``.
    func setFullText(_ fullText: DocumentFullText, ofCollection name: String) throws {
        guard let schema = fullText.schema else {
            // What there is not has none.
            if try !openCollection(named: name).binding.fullTextIndexes.isEmpty { try replaceFullText(of: name, with: nil) }
            return
        }
        let model = try openCollectionForSaving(named: name)
        let types = try IndexFields(schema, in: model.binding).types
        let present = try indexTable.entries.filter { $0.modelName == name && $0.state != .dropping }
        if present.contains(where: { $0.schema == schema && $0.types == types }) { return }
        try replaceFullText(of: name, with: (schema, types))
    }

    private func replaceFullText(of name: String, with new: (schema: IndexSchema, types: [String])?) throws {
        try flushIndexes()
        let writer = try writer
        let isEmpty = try writer.keyspace(named: name).map { try writer.isEmpty($0) } ?? true
        try change {
            try IndexDirectory.change(writer) { directory, entries in
                for place in entries.indices where entries[place].modelName == name && entries[place].schema.kind.isFullText {
                    entries[place].state = .dropping
                }
                guard let new else { return }
                entries.append(
                    IndexCatalogueEntry(
                        number: try directory.takeNumber(), modelName: name, version: 1, schema: new.schema, types: new.types,
                        state: isEmpty ? .ready : .building(after: nil)))
            }
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
            // The bindings of collections tell of their full text.
            forgetModels()
            changes.changes(of: name)?.noteChangeOfWords()
        }
    }
}
