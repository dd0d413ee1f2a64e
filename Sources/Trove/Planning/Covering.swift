/// Where the entries of an index have the values that a query wants, so that no record need be read.
struct Covering: Sendable {
    enum Place {
        /// The number among the covered fields.
        case covered(Int)
        /// The number of the part, its type, and whether its bytes are inverted.
        case part(Int, FieldType, isInverted: Bool)
        /// The record's key, of this type: an id that may be nil has a byte for that.
        case id(FieldType)
    }

    let index: IndexBinding
    let places: [Place]
    let layout: PartLayout
    let coveredCount: Int

    /// nil when the entries do not have the value of each path.
    init?(_ paths: [FieldPath], _ index: IndexBinding) {
        guard index.schema.kind.isOrdered, index.slice == nil, !index.isMultiValued else { return nil }
        let parts = index.fields.parts
        let covered = index.schema.covered
        var places: [Place] = []
        for path in paths {
            if let number = covered.firstIndex(of: path) {
                places.append(.covered(number))
            } else if let number = parts.firstIndex(where: { $0.part.path == path && !$0.part.ignoringCase }), let type = parts[number].type,
                type.scalar?.partTellsValue == true {
                places.append(.part(number, type, isInverted: parts[number].part.direction == .descending))
            } else if index.fields.id.path == path, case .id(let type?) = index.fields.id.access {
                places.append(.id(type))
            } else {
                return nil
            }
        }
        self.index = index
        self.places = places
        layout = PartLayout(parts.map { ($0.type, $0.part.direction) })
        coveredCount = covered.count
    }

    /// nil also when something has to be checked or sorted by records.
    init?(_ paths: [FieldPath], _ plan: Plan) {
        guard case .constant(true) = plan.residual, plan.arrangement != .sort, case .index(let scan) = plan.access.kind, plan.order?.isComplete ?? true
        else { return nil }
        self.init(paths, scan.index)
    }
}
