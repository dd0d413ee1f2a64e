/// The plan of a query: the steps, what each was expected to meet and what it met.
///
/// ```swift
/// let explanation = try store.fetch(Song.self).where { $0.artist == "Bill Evans" }.sorted(by: \.year).explain()
/// print(explanation)
/// ```
public struct Explanation: Sendable, Hashable {
    /// The kind of a step.
    public enum Kind: String, Sendable, Hashable {
        /// Nothing: no object can pass the filter.
        case nothing
        /// Skips the offset and stops at the limit.
        case window
        /// Sorts in memory.
        case sort
        /// Reads the objects that references lead to, in batches and each once.
        case follow
        /// Groups objects.
        case group
        /// Checks the conditions that the steps below do not guarantee.
        case check
        /// Reads the records of some keys.
        case read
        /// Reads all records, or a range of ids, in one pass.
        case scan
        /// Looks up ids.
        case lookUp
        /// Reads ranges of an index.
        case index
        /// Keeps the keys that all steps below find.
        case intersection
        /// Joins the keys that the steps below find.
        case union
    }

    /// One step of a plan, and the steps that supply its rows.
    public struct Step: Sendable, Hashable {
        /// The kind of the step.
        public let kind: Kind
        /// The description of the step, for people to read.
        public let summary: String
        /// The name of the index that the step reads; nil for other steps.
        public let index: String?
        /// The expected number of rows; nil where there is no estimate.
        public let estimatedRows: Int?
        /// The actual number of rows; nil when the query was not run.
        public let actualRows: Int?
        /// The steps that supply the rows.
        public let steps: [Step]
    }

    /// The last step, which supplies the results.
    public let step: Step
    /// The expected cost of the query in microseconds, useful for comparing plans.
    public let estimatedCost: Double

    /// The step and all below it, each before the steps that supply its rows.
    public var steps: [Step] {
        func all(_ step: Step) -> [Step] { [step] + step.steps.flatMap(all) }
        return all(step)
    }

    /// The names of the indexes that the plan reads.
    public var indexes: [String] { steps.compactMap(\.index) }

    /// Whether results are sorted in memory.
    public var sorts: Bool { steps.contains { $0.kind == .sort } }
}

extension Explanation {
    /// The same with a last step that reads what references lead to.
    ///
    /// - Parameter step: what it reads, and how many objects it read; nil for no step.
    func following(_ step: (summary: String, rows: Int?)?) -> Explanation {
        Explanation(step: self.step.following(step), estimatedCost: estimatedCost)
    }
}

extension Explanation.Step {
    /// A step that reads what references of this one's rows lead to; this one for nil.
    func following(_ step: (summary: String, rows: Int?)?) -> Explanation.Step {
        guard let step else { return self }
        return Explanation.Step(kind: .follow, summary: step.summary, index: nil, estimatedRows: nil, actualRows: step.rows, steps: [self])
    }
}

extension Explanation: CustomStringConvertible {
    /// The steps as a tree, the last one first, with columns of expected and actual rows.
    public var description: String {
        var lines: [(text: String, step: Step)] = []
        func add(_ step: Step, _ lead: String, _ childLead: String) {
            lines.append((lead + step.summary, step))
            for (number, part) in step.steps.enumerated() {
                let isLast = number == step.steps.count - 1
                add(part, childLead + (isLast ? "└─ " : "├─ "), childLead + (isLast ? "   " : "│  "))
            }
        }
        add(step, "", "")
        let expected = lines.map { $0.step.estimatedRows.map(Self.grouped) ?? "" }
        let actual = lines.map { $0.step.actualRows.map(Self.grouped) ?? "" }
        let width = min(100, lines.map(\.text.count).max() ?? 0)
        func column(_ title: String, _ texts: [String]) -> [String] {
            let width = max(title.count, texts.map(\.count).max() ?? 0)
            return ([title] + texts).map { String(repeating: " ", count: width - $0.count) + $0 }
        }
        let columns = [column("expected", expected)] + (actual.allSatisfy(\.isEmpty) ? [] : [column("rows", actual)])
        let texts = ["step"] + lines.map(\.text)
        return texts.enumerated().map { number, text in
            let padding = String(repeating: " ", count: max(0, width - text.count))
            return text + padding + columns.map { "  " + $0[number] }.joined()
        }.joined(separator: "\n")
    }

    /// A number with its thousands apart.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (position, digit) in String(number).reversed().enumerated() {
            if position > 0, position.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

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
