import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TroveMacros

/// The macros under the names that users write.
private let macros = [
    "Model": MacroSpec(type: ModelMacro.self, conformances: ["Model"]),
    "Attribute": MacroSpec(type: AttributeMacro.self),
    "Relationship": MacroSpec(type: RelationshipMacro.self),
    "ActiveRecord": MacroSpec(type: ActiveRecordMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
    "Unique": MacroSpec(type: UniqueMacro.self),
    "Index": MacroSpec(type: IndexMacro.self),
    "FullText": MacroSpec(type: FullTextMacro.self),
    "Substring": MacroSpec(type: SubstringMacro.self),
]

/// Expects the macros in `source` to expand to `expanded`, without a diagnostic.
///
/// - Parameter statesConformance: Whether the struct names the protocol itself, which the compiler would tell the macro.
func expectExpansion(
    _ source: String, _ expanded: String, statesConformance: Bool = false, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    var specs = macros
    if statesConformance { specs["Model"] = MacroSpec(type: ModelMacro.self) }
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: specs,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
}

/// Expects one diagnostic, at the marked place, with its fix-it if there is one, and that nothing is written for the model.
func expectDiagnostic(_ testCase: DiagnosticCase, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let source = testCase.source
    let expanded = Parser.parse(source: source)
        .expand(macroSpecs: macros, contextGenerator: { BasicMacroExpansionContext(lexicalContext: $0.allMacroLexicalContexts()) })
        .description
    #expect(!expanded.contains("Trove."), sourceLocation: sourceLocation)
    let specification = DiagnosticSpec(
        message: testCase.message, line: testCase.line, column: testCase.column,
        fixIts: testCase.fixIt.map { [FixItSpec(message: $0.message)] } ?? [])
    assertMacroExpansion(
        source, expandedSource: expanded, diagnostics: [specification], macroSpecs: macros,
        fixedSource: testCase.fixIt?.source,
        failureHandler: { Issue.record("\(testCase): \($0.message)", sourceLocation: sourceLocation) })
}
