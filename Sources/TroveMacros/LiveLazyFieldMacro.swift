import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_LiveLazyField`: the accessors of a property of a class that is read when it is asked for, and what it is kept in. `@Model` attaches it.
enum LiveLazyFieldMacro: LaidOutMacro, AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = LiveProperty(declaration, node), let position = property.position else { return [] }
        let name = property.codeName
        let storage = "{ $0(&\(property.storageName)) }"
        return [
            property.initAccessor(storing: "Trove.Lazy(initialValue)"),
            "get { _$live.loaded(self, \\.\(raw: name), else: \(raw: property.absentValue)) \(raw: storage) }",
            "set { _$live.setLazily(self, \\.\(raw: name), field: \(raw: position), to: Trove.Lazy(newValue)) \(raw: storage) }",
            """
            _modify {
                var edit = _$live.beginLazyChange(self, \\.\(raw: name), field: \(raw: position), else: \(raw: property.absentValue)) \(raw: storage)
                defer { _$live.endLazyChange(self, \\.\(raw: name), &edit, to: { Trove.Lazy($0) }) \(raw: storage) }
                yield &edit.value
            }
            """,
        ]
    }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = LiveProperty(declaration, node), let type = property.binding.typeAnnotation?.type.portableDescription else { return [] }
        let storage = { (value: String) -> DeclSyntax in
            "nonisolated(unsafe) private var \(raw: property.storageName) = Trove.Lazy<\(raw: type)>(\(raw: value))"
        }
        guard let value = property.binding.initializer?.value else { return [storage("nil")] }
        // In a static function the value may name and be what it may where it is declared.
        return [storage("\(property.defaultName)()"), "private nonisolated static func \(raw: property.defaultName)() -> \(raw: type) { \(value.trimmed) }"]
    }
}

extension LiveProperty {
    /// The source of the value that stands for one that cannot be read: the default value.
    fileprivate var absentValue: String { binding.initializer == nil ? "nil" : "Self.\(defaultName)()" }
}
