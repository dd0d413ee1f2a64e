/// What a save did to a record beside the objects that were changed, by a delete rule or an inverse.
struct SideEffect {
    let key: ObjectKey
    let type: any LiveModel.Type
    /// The record before, in the current layout.
    let before: [UInt8]
    /// The record after; nil when it was deleted.
    let after: [UInt8]?
}

/// Finds the steps that side effects of a save belong to: a rule goes from an object that is deleted along its relationships, and along those that point at it.
struct SideEffectCauses {
    private let effects: [SideEffect]
    private let context: ObjectContext
    private let places: [AnyReference: Int]
    /// What each of the records pointed at before.
    private let targets: [[AnyReference]]
    /// The places of the records that pointed at an object before.
    private let sources: [AnyReference: [Int]]

    init(_ effects: [SideEffect], _ context: ObjectContext) throws {
        self.effects = effects
        self.context = context
        let references = effects.map { AnyReference(modelName: $0.type.schema.name, keyBytes: $0.key.bytes) }
        places = Dictionary(zip(references, effects.indices), uniquingKeysWith: { first, _ in first })
        targets = try effects.map { try context.targets(of: $0.before, key: $0.key.bytes, $0.type) }
        var sources: [AnyReference: [Int]] = [:]
        for (place, targets) in targets.enumerated() {
            for target in targets { sources[target, default: []].append(place) }
        }
        self.sources = sources
    }

    /// For each side effect the position of the first step that leads to it; nil where none does.
    func steps(_ steps: [UndoStep]) throws -> [Int?] {
        var found = [Int?](repeating: nil, count: effects.count)
        for (position, step) in steps.enumerated() {
            var waiting: [Int] = []
            func reach(_ reference: AnyReference, _ targets: [AnyReference]) {
                let places = targets.compactMap { self.places[$0] } + (sources[reference] ?? [])
                for place in places where found[place] == nil {
                    found[place] = position
                    waiting.append(place)
                }
            }
            for entry in step.entries {
                guard let before = entry.before else { continue }
                let (type, key) = (type(of: entry.object), entry.object.contextKey.bytes)
                reach(AnyReference(modelName: type.schema.name, keyBytes: key), try context.targets(of: before, key: key, type))
            }
            while let place = waiting.popLast() {
                reach(AnyReference(modelName: effects[place].type.schema.name, keyBytes: effects[place].key.bytes), targets[place])
            }
        }
        return found
    }
}
