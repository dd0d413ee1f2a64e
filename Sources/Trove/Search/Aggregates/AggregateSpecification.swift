/// An aggregate with its property by path, as the store computes it.
struct AggregateSpecification: Hashable {
    let function: AggregateFunction
    let path: FieldPath?

    init(function: AggregateFunction, path: FieldPath?) {
        self.function = function
        self.path = path
    }

    init<Object: Model, Value>(_ aggregate: Aggregate<Object, Value>) throws {
        function = aggregate.function
        path = try aggregate.property.map { try Object.path($0) }
    }

    /// The specifications of some aggregates.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    static func list<Object: Model, each Value>(_ aggregates: repeat Aggregate<Object, each Value>) throws -> [AggregateSpecification] {
        var list: [AggregateSpecification] = []
        for aggregate in repeat each aggregates { list.append(try AggregateSpecification(aggregate)) }
        return list
    }
}

extension Aggregate {
    /// The result as the property's type has it.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)``; ``TroveError/decodingFailed(model:field:id:reason:)``.
    func result(_ value: StoredValue) throws -> Value {
        do {
            return try finish(value)
        } catch let fault as DecodingFault {
            guard case .unfit(let reason) = fault else { throw fault }
            let path = try property.map { try Object.path($0).description } ?? "objects"
            // What is computed of stored values has their type; only a sum can grow beyond its own.
            if function == .sum { throw TroveError.sumOverflow(model: Object.schema.name, path: path) }
            throw TroveError.decodingFailed(model: Object.schema.name, field: path, id: "a group", reason: reason)
        }
    }
}
