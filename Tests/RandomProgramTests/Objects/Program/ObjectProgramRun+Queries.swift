import Trove

extension ObjectProgramRun {
    /// The items of a filter.
    func fetch<Item: ProgramItem, Source: ObjectSource>(
        _ filter: ItemFilter, _ source: Source, _ type: Item.Type, order: String = ""
    ) -> Fetch<Item, Source> {
        let criteria = filter.criteria(for: type)
        return source.fetch(type).matching(criteria.text + order, arguments: criteria.arguments)
    }

    /// What the store answers to a query.
    func answer<Item: ProgramItem>(_ query: ObjectQuery, _ transaction: ReadTransaction, _ type: Item.Type) throws -> String {
        switch query {
        case .items(let filter, let order, let descending, let offset, let limit):
            let direction = descending ? "desc" : "asc"
            let keys = order == .id ? "id \(direction)" : "\(order.rawValue) \(direction), id \(direction)"
            var found = fetch(filter, transaction, type, order: " order by \(keys)").offset(offset)
            if let limit { found = found.limit(limit) }
            return "\(try found.ids())"
        case .item(let id): return try transaction.fetch(type, id: id)?.value.text ?? "none"
        case .itemCount(let filter): return "\(try fetch(filter, transaction, type).count())"
        case .itemWithCode(let code): return try transaction.fetch(type).matching("code = ?", code).first()?.value.text ?? "none"
        case .figures: return try type.figures(in: transaction)
        case .referencing(let box):
            return try transaction.referencing(Reference<ProgramBox>(id: box)).map { source in
                let id: Int = try Int(keyBytes: source.keyBytes)
                return "\(source.modelName).\(source.field) \(id)"
            }.sorted().joined(separator: ", ")
        case .unreferencedParts: return "\(try transaction.fetch(ProgramPart.self).unreferenced().all().map(\.id.short).sorted())"
        case .entries(let shelf):
            return try transaction.fetch(ProgramEntry.self).where { $0.shelf == shelf.whole }.all().sorted { $0.place < $1.place }
                .map { "\($0.place): \($0.count)" }.joined(separator: ", ")
        }
    }

    /// All objects, a line each, in the order of their ids.
    func lines(in transaction: ReadTransaction) throws -> [String] {
        var lines = try items.lines(transaction)
        lines += try transaction.fetch(ProgramBox.self).all()
            .map { "box \($0.id): \($0.name), parent \($0.parent?.id ?? -1), \($0.parts.map(\.id.short))" }
        lines += try transaction.fetch(ProgramPart.self).all().map { "part \($0.id.short): \($0.weight)" }
        lines += try transaction.fetch(ProgramLock.self).all().map { "lock \($0.id) of \($0.box.id)" }
        lines += try transaction.fetch(ProgramEntry.self).all().map { "entry \($0.shelf.short) \($0.place): \($0.count)" }.sorted()
        return lines
    }
}
