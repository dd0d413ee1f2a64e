/// What is sealed in the records of one layout.
struct SealingPlan: Sendable {
    let layout: RecordLayout
    /// The positions of the fields that are sealed when a record is stored.
    let positions: [Int]
    /// The positions of those in which a value that is not sealed is refused.
    let closedPositions: [Int]
    private let encryption: FieldEncryption
    private let closed: Set<String>

    init(_ layout: RecordLayout, _ encryption: FieldEncryption, closed: Set<String>) {
        (self.layout, self.encryption, self.closed) = (layout, encryption, closed)
        positions = encryption.positions(in: layout, closed: closed)
        closedPositions = encryption.closedPositions(in: layout, closed: closed)
    }

    /// The properties, as `Model.property`, that the field at one of the ``positions`` has the values of.
    func properties(at position: Int) -> [String] { encryption.properties(at: position, in: layout, closed: closed).map { "\(layout.modelName).\($0)" } }
}

/// What is sealed in the records that the program's models write.
struct DeclaredSealing {
    /// The layouts that they are written in, by number.
    private(set) var layouts: [UInt16: RecordLayout] = [:]
    /// The models by name, as the program treats them.
    private(set) var schemas: [String: ModelSchema] = [:]
    /// What is encrypted in each, by what the catalogue said when the store was opened.
    private(set) var encryptions: [String: FieldEncryption] = [:]
    /// The plans that were asked for, by the layout's number, and whose closed properties they have.
    private var plans: [UInt16: SealingPlan] = [:]
    private var sealer: (any FieldSealer)?

    init() {}

    init(_ bindings: [ModelBinding], _ entries: [LayoutEntry]) {
        for binding in bindings {
            let schema = binding.schema
            layouts[binding.layout.number] = binding.layout
            schemas[schema.name] = schema
            encryptions[schema.name] = FieldEncryption(schema, of: schema.name, entries)
        }
    }

    /// A plan with the closed properties of these keys.
    mutating func plan(_ number: UInt16, _ sealer: any FieldSealer, _ make: (_ closed: Set<String>) -> SealingPlan) -> SealingPlan {
        if self.sealer !== sealer { (self.sealer, plans) = (sealer, [:]) }
        if let known = plans[number] { return known }
        let plan = make(sealer.closedFields)
        plans[number] = plan
        return plan
    }
}
