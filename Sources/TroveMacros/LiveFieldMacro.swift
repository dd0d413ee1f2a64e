import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_LiveField`: the accessors of a property of a class that holds values, and what it is kept in. `@Model` attaches it.
///
/// Without a position the property is not stored, and its changes are not noted.
enum LiveFieldMacro: LaidOutMacro, AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = LiveProperty(declaration, node) else { return [] }
        let name = property.codeName
        let begin = if let position = property.position {
            "_$live.beginChanging(self, \\.\(name), field: \(position))"
        } else {
            "_$live.beginWriting(self, \\.\(name))"
        }
        return [
            property.initAccessor(storing: "initialValue"),
            """
            get {
                let access = _$live.beginReading(self, \\.\(raw: name))
                defer { access.end() }
                return \(raw: property.storageName)
            }
            """,
            """
            set {
                let access = \(raw: begin)
                defer { access.end(self, \\.\(raw: name)) }
                \(raw: property.storageName) = newValue
            }
            """,
            """
            _modify {
                let access = \(raw: begin)
                defer { access.endInPlace(self, \\.\(raw: name)) }
                yield &\(raw: property.storageName)
            }
            """,
        ]
    }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = LiveProperty(declaration, node) else { return [] }
        var binding = property.binding.trimmed
        binding.pattern = PatternSyntax(
            IdentifierPatternSyntax(identifier: .identifier(property.storageName)).with(\.trailingTrivia, binding.pattern.trailingTrivia))
        // Observers go with the storage, whose changes are all there are. There Swift takes the storage's name, and not the property's, for the value itself.
        if let observers = binding.accessorBlock {
            binding.accessorBlock = ObserverRewriter(property).rewrite(observers).as(AccessorBlockSyntax.self)
        }
        return ["nonisolated(unsafe) private var \(binding)"]
    }
}
