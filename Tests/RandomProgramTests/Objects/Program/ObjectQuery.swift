import TroveTesting

/// What a program asks a store.
enum ObjectQuery: ProgramStep {
    /// What items are sorted by; `id` decides between equals.
    enum Order: String, Codable, Sendable, CaseIterable {
        case id, amount, code, born
    }

    /// The ids of items, in an order.
    case items(ItemFilter, by: Order, descending: Bool, offset: Int, limit: Int?)
    case item(id: Int)
    case itemCount(ItemFilter)
    case itemWithCode(String)
    /// Groups and aggregates of all items.
    case figures
    /// What points at a box.
    case referencing(box: Int)
    case unreferencedParts
    case entries(shelf: String)

    var simplerForms: [[ObjectQuery]] {
        switch self {
        case .items(let filter, let order, let descending, let offset, let limit):
            var forms = filter.simplerForms.map { [ObjectQuery.items($0, by: order, descending: descending, offset: offset, limit: limit)] }
            if offset > 0 || limit != nil { forms.append([.items(filter, by: order, descending: descending, offset: 0, limit: nil)]) }
            if descending { forms.append([.items(filter, by: order, descending: false, offset: offset, limit: limit)]) }
            if order != .id { forms.append([.items(filter, by: .id, descending: descending, offset: offset, limit: limit)]) }
            return forms
        case .itemCount(let filter): return filter.simplerForms.map { [.itemCount($0)] }
        default: return []
        }
    }
}
