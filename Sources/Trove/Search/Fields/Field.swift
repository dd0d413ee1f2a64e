/// A property of a model or of a nested value, as the closures of ``Fetch/where(_:)-(Closure)`` compare it.
///
/// | what | how |
/// |---|---|
/// | comparison | `$0.year > 1990`, `$0.rating == nil`, `$0.title != $0.artist` |
/// | lists and ranges | `$0.artist.isIn(["Bill Evans", "Chet Baker"])`, `$0.year.isIn(1950..<1960)`, `(1950...1960).contains($0.year)` |
/// | text | `$0.title.hasPrefix("Autumn")`, `.hasSuffix`, `.contains`, `.equals`, each also `ignoringCase: true`; `.matches("^A.*s$")` |
/// | nested values | `$0.address.city == "Paris"`, `$0.labels["genre"] == "Jazz"` |
/// | collections | `$0.tags.contains("live")`, `$0.lines.any { $0.price > 5 && $0.quantity > 1 }`, `.all`, `.none`, `.isEmpty` |
///
/// Values compare as ``Filter`` says: text by its UTF-8 bytes, nil by its table.
@dynamicMemberLookup
public struct Field<Value>: Sendable {
    let path: FieldPath
    /// The quantifier whose element the path begins at; nil when it begins at the object.
    let scope: ElementScope?
    /// Why there is no such path; the query throws it when it runs.
    let problem: TroveError?

    init(path: FieldPath, scope: ElementScope? = nil, problem: TroveError? = nil) {
        self.path = path
        self.scope = scope
        self.problem = problem
    }

    init(scope: ElementScope? = nil, problem: TroveError? = nil, path: () throws(TroveError) -> FieldPath) {
        if let problem {
            self.init(path: .element, scope: scope, problem: problem)
            return
        }
        do throws(TroveError) {
            self.init(path: try path(), scope: scope)
        } catch {
            self.init(path: .element, scope: scope, problem: error)
        }
    }

    /// The field as the collection whose members are asked about.
    func members<Member>(_ part: CollectionPart) -> Members<Member> {
        Members(path: path, part: part, scope: scope, problem: problem)
    }

    /// The condition that `filter` makes of the path, and of a second field.
    func condition(_ filter: (Operand) throws(TroveError) -> Filter) -> Condition {
        Condition(scopes: scope.map { [$0] } ?? [], problem: problem) { () throws(TroveError) in try filter(.path(path)) }
    }

    func condition<Other>(_ other: Field<Other>, _ filter: (Operand, Operand) -> Filter) -> Condition {
        Condition(scopes: [scope, other.scope].compactMap(\.self), problem: problem ?? other.problem) { filter(.path(path), .path(other.path)) }
    }
}
