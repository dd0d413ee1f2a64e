import SwiftDiagnostics
import SwiftSyntax

/// An index, and where it is declared.
struct ParsedIndex {
    let declaration: IndexDeclaration
    /// Where diagnostics about it are placed.
    let place: Syntax
    /// The removal of the declaration, where it is simple.
    var removal: FixIt?
}
