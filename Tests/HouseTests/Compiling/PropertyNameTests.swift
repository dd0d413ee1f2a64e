import TestSupport
import Testing

/// Every name that Swift takes for a property works in a model, or the macro says that it does not.
@Suite(.enabled(if: SourceCheck.isPossible)) struct PropertyNameTests {
    private static let keywords = """
        associatedtype actor any as async await break case catch class continue convenience default defer deinit do dynamic each else enum extension \
        fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is lazy left let macro mutating nil \
        none nonisolated open operator optional override package postfix precedence precedencegroup prefix private protocol public repeat required \
        rethrows return right self set some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet didSet Any
        """

    /// The members of what stands for the object and for its fields in a condition, and of what `@Model` writes.
    private static let members = """
        all any at compared condition contains count derivedValue description elements encode equals fetch filter hasDanglingReferences hasPrefix \
        hasSuffix hasWords hash hashValue indexes isBetween isEmpty isIn isReferenced isTrue isUnreferenced keys kind limit live matches member members \
        nested none offset path problem property record references referencing schema scope sort store subscript text upgrade validate value values \
        version willSave didSave didLoad didDelete field object model context and not or between order by like asc desc null initialValue newValue \
        oldValue access Swift Int String Value Object Element
        """

    /// Names that are none without their backticks.
    private static let raw = ["1st", "first name", "a-b", "x.y", "[0]", "🎵"]

    private static let names = Set((keywords + " " + members).split(whereSeparator: \.isWhitespace).map(String.init) + raw).sorted()

    /// A model with the name, indexed by it, and what is asked of it: twice, since the compiler takes long to find the types of an `&&`.
    private static func source(_ number: Int, _ name: String, isClass: Bool) -> String {
        let header = isClass ? "final class Model\(number)" : "struct Model\(number)"
        let initializer = isClass ? "init(_ first: Int) { self.`\(name)` = first }" : ""
        return """
            @Model \(header) { @Attribute(.indexed) var `\(name)`: Int; var other = 1; \(initializer) }
            func run\(number)(store: ObjectStore) throws {
                _ = try store.fetch(Model\(number).self).where { $0.`\(name)` == 1 }.where { $0.`\(name)`.isIn([1, 2]) }.sorted(by: \\.`\(name)`).all()
            }

            """
    }

    /// In `make test` every second name is one of a class, and the others are of structs.
    @Test(arguments: [false, true]) func worksInAModel(isClass: Bool) throws {
        #expect(Self.names.count > 150)
        let tried = Self.names.enumerated().filter { TestShare.isWhole || ($0.offset % 2 == 0) == isClass }
        let source = tried.map { Self.source($0.offset, $0.element, isClass: isClass) }.joined()
        #expect(try SourceCheck().errors(in: "import Trove\n" + source) == [])
    }

    @Test func namesThatNoKeyPathHasAreRefused() throws {
        let names = ["Self", "Type", "Protocol", "ID"].flatMap { [($0, false), ($0, true)] }
        let sources = names.enumerated().map { "import Trove\n" + Self.source($0.offset, $0.element.0, isClass: $0.element.1) }
        for ((name, isClass), errors) in zip(names, try SourceCheck().errors(inEach: sources)) {
            let expected = "a stored property named '\(name)' cannot be named in a key path; give it another name"
            #expect(errors.contains { $0.hasPrefix(expected) }, "\(isClass): \(errors)")
        }
    }

    @Test func theModulesNameIsRefused() throws {
        let errors = try SourceCheck().errors(in: "import Trove\n" + Self.source(0, "Trove", isClass: false))
        let expected = "a member named 'Trove' hides the module of that name from the code '@Model' writes; give it another name"
        #expect(errors.contains { $0.hasPrefix(expected) }, "\(errors)")
    }

    /// What is made of names, such as those of storages, labels and inverses, is in backticks where it has to be.
    @Test func rawNamesWorkInAllThatIsMadeOfThem() throws {
        let source = #"""
            import Foundation
            import Trove
            import TroveActiveRecord
            @Model struct `Two Parts` {
                var `1st`: Int; var `2nd part`: String
                #Unique<`Two Parts`>([\.`1st`, \.`2nd part`], identity: true)
            }
            @ActiveRecord @Model struct Found { var `1st`: Int; var `first name`: String }
            @Model struct Written { var `1st`: Int; init() { `1st` = 1 } }
            @Model final class `My Album` {
                let `1st`: Int
                @Relationship var `all songs`: [`My Song`] = []
                @Attribute(.lazy) var `the cover`: Data?
                init() { `1st` = 1 }
            }
            @Model final class `My Song` { @Relationship(inverse: "all songs") var `on album`: `My Album`?; init() {} }
            func run(store: ObjectStore) throws {
                _ = try store.fetch(`Two Parts`.self, id: .init(`1st`: 1, `2nd part`: "a"))
                _ = try Found.find.by1st(1) + Found.find.`byFirst name`("a")
                _ = try store.fetch(`My Song`.self).where { $0.`on album`.`1st` == 1 }.count()
            }
            """#
        #expect(try SourceCheck().errors(in: source) == [])
    }

    /// Nested values have such names too, beside what fields of their types can be asked.
    @Test func worksInANestedValue() throws {
        let source = """
            import Trove
            struct Inner: Codable, Equatable, Sendable {
                var isIn = 0, contains = 0, isEmpty = "", at = 0, keys = 0, values = 0, any = 0, id = 0, hasPrefix = 0, hasWords = 0
            }
            @Model struct Outer { var inner: Inner; var optional: Inner?; var list: [Inner]; var labels: [String: Int]; var title: String; var flag: Bool }
            func run(store: ObjectStore) throws {
                let all = store.fetch(Outer.self)
                _ = try all.where { $0.inner.at == 5 && $0.inner.at("at", as: Int.self) == 5 && $0.optional.at == 4 && $0.inner.isIn == 5 }.all()
                _ = try all.where { $0.inner.isIn([]) && $0.inner.contains == 4 && $0.inner.isEmpty.isEmpty && $0.inner.isEmpty == "x" }.all()
                _ = try all.where { $0.list.any { $0.at == 5 && $0.isIn == 4 && $0.any == 4 && $0.keys == 4 } }.all()
                _ = try all.where { $0.labels.keys.contains("x") && $0.labels["x"] == 4 && $0.title.isIn(["a"]) && $0.title.contains("x") }.all()
                _ = try all.where { $0.inner.id == 4 && $0.inner.hasPrefix == 1 && $0.inner.hasWords == 1 && $0.optional.isEmpty == nil && $0.flag }.all()
                _ = try all.where { $0.flag }.all()
                _ = try all.where { !$0.flag || $0.id == ObjectID() }.all()
            }
            """
        #expect(try SourceCheck().errors(in: source) == [])
    }
}
