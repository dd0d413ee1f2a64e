extension Explanation: JSONRepresentable {
    /// The plan as JSON: the last step, with those it gets its rows from in it, and the expected cost in microseconds.
    public func jsonValue() throws -> StoredValue {
        .object(["estimatedCost": .double(estimatedCost), "step": step.jsonValue])
    }
}

extension Explanation.Step {
    /// Steps are as few as the indexes that a plan uses, and nest in three or four levels.
    fileprivate var jsonValue: StoredValue {
        var values: [String: StoredValue] = ["kind": .string(kind.rawValue), "summary": .string(summary)]
        if let index { values["index"] = .string(index) }
        if let estimatedRows { values["estimatedRows"] = .number(estimatedRows) }
        if let actualRows { values["actualRows"] = .number(actualRows) }
        if !steps.isEmpty { values["steps"] = .array(steps.map(\.jsonValue)) }
        return .object(values)
    }
}
