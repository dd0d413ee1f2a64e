import Synchronization

/// A model as one open store has it: its schema, keyspace and current layout.
final class ModelBinding: Sendable {
    let schema: ModelSchema
    /// The layout its records are written in.
    let layout: RecordLayout
    /// Whether a save of an existing object has to look at the stored one.
    let mergesOnSave: Bool
    private let plans = Mutex<[UInt16: DecodingPlan]>([:])

    init(_ schema: ModelSchema, layout: RecordLayout) {
        self.schema = schema
        self.layout = layout
        mergesOnSave = schema.fields.contains { !$0.options.isEmpty }
    }

    /// How records of an older layout are read.
    ///
    /// - Throws: what opening the store throws for a layout the model cannot read; another program may have written it since.
    func plan(for stored: RecordLayout) throws -> DecodingPlan {
        try plans.withLock { plans in
            if let plan = plans[stored.number] { return plan }
            try SchemaRegistration.check(schema, canRead: stored)
            let plan = DecodingPlan(from: stored, to: schema)
            plans[stored.number] = plan
            return plan
        }
    }
}
