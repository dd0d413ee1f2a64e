/// How a query is answered.
public struct Explanation: Sendable, Hashable {
    public let text: String
}
extension Explanation: CustomStringConvertible { public var description: String { text } }
extension ReadTransaction {
    func explain<Object: Model>(_ type: Object.Type, _ draft: QueryDraft, running: Bool) throws -> Explanation {
        Explanation(text: "")
    }
}
