/// The layouts of a store in an order that does not depend on their numbers: models by name, then versions, then by what they say.
struct TransferLayouts {
    struct Layout {
        let entry: LayoutEntry
        /// What the header of a transfer says of it.
        let value: StoredValue
        /// Its place among those of its model; nil when it is the only one.
        var place: Int?
    }

    /// How many layouts a header has at most: each that is new takes one of the store's numbers for ever.
    static let maxCount = 4_096

    private(set) var layouts: [Layout] = []

    /// The layouts of models, of which some have records.
    init(_ entries: [LayoutEntry]) throws {
        let told = try entries.filter { !$0.isRetired && !Catalogue.isReserved($0.layout.modelName) }.map { entry in
            let value = Self.value(entry)
            return (layout: Layout(entry: entry, value: value), text: try value.json())
        }
        layouts = told.sorted { left, right in
            let (first, second) = (left.layout.entry.layout, right.layout.entry.layout)
            if !first.modelName.hasBytes(of: second.modelName) { return first.modelName.utf8.lexicographicallyPrecedes(second.modelName.utf8) }
            if first.version != second.version { return first.version < second.version }
            return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }.map(\.layout)
        number()
    }

    /// What a header says.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ value: StoredValue) throws {
        guard case .array(let list)? = value.value(at: "layouts") else {
            throw TroveError.corruptCatalogue(entry: "$trove", reason: "it has no layouts")
        }
        guard list.count <= Self.maxCount else {
            throw TroveError.corruptCatalogue(entry: "$trove", reason: "there are \(list.count) of them; an importable export has up to \(Self.maxCount)")
        }
        layouts = try list.map { value in
            guard case .object(let fields) = value else { throw TroveError.corruptCatalogue(entry: "$trove", reason: "a layout is no object") }
            var values = fields.dictionary
            values["type"] = values.removeValue(forKey: "model")
            values["retired"] = .bool(false)
            return Layout(entry: try LayoutEntry(.object(values), number: 0), value: value)
        }
        try checkScalars()
        number()
    }

    /// Throws when two models have names that are the same characters in other scalars, which Swift takes for one.
    private func checkScalars() throws {
        var names: [String: String] = [:]
        for layout in layouts {
            let name = layout.entry.layout.modelName
            guard let other = names.updateValue(name, forKey: name) else { continue }
            guard other.hasBytes(of: name) else { throw SchemaRegistration.otherScalars(name, "the header has another model", other) }
        }
    }

    private mutating func number() {
        var start = 0
        while start < layouts.count {
            let name = layouts[start].entry.layout.modelName
            let end = layouts[start...].firstIndex { !$0.entry.layout.modelName.hasBytes(of: name) } ?? layouts.count
            if end - start > 1 { for position in start..<end { layouts[position].place = position - start } }
            start = end
        }
    }

    /// What a header says of a layout.
    static func value(_ entry: LayoutEntry) -> StoredValue {
        guard case .object(let fields) = entry.value else { return .null }
        var values = fields.dictionary
        values["model"] = values.removeValue(forKey: "type")
        values["retired"] = nil
        return .object(values)
    }

    var header: StoredValue { .object(["format": .int(Int64(StoreHeader.currentFormat)), "layouts": .array(layouts.map(\.value))]) }

    /// How ids are written, by the models' names.
    var ids: [String: IDCoding] { Dictionary(layouts.map { ($0.entry.layout.modelName, IDCoding($0.entry.id)) }, uniquingKeysWith: { _, last in last }) }
}
