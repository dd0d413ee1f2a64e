import Foundation
import MacroQuestions
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport

/// Answers a question, which it reads as JSON, with what is not as it should be: a list of messages.
///
/// A program, although tests could import the macros: a test that does is built for the machine that compiles, as macros are, and with it all tests
/// and all that they import, which the programs that they start need a second time for the machine that runs.
@main
struct MacroProbe {
    /// The macros under the names that users write.
    static let macros = [
        "Model": MacroSpec(type: ModelMacro.self, conformances: ["Model", "LiveModel", "AbstractModel", "Sendable"]),
        "AbstractModel": MacroSpec(type: AbstractModelMacro.self, conformances: ["AbstractModel", "Sendable"]),
        "Attribute": MacroSpec(type: AttributeMacro.self),
        "Relationship": MacroSpec(type: RelationshipMacro.self),
        "ActiveRecord": MacroSpec(type: ActiveRecordMacro.self),
        "_LiveField": MacroSpec(type: LiveFieldMacro.self),
        "_LiveLazyField": MacroSpec(type: LiveLazyFieldMacro.self),
        "_LiveRelationship": MacroSpec(type: LiveRelationshipMacro.self),
        "Transient": MacroSpec(type: TransientMacro.self),
        "Unique": MacroSpec(type: UniqueMacro.self),
        "Index": MacroSpec(type: IndexMacro.self),
        "FullText": MacroSpec(type: FullTextMacro.self),
        "Substring": MacroSpec(type: SubstringMacro.self),
    ]

    static func main() throws {
        let input = FileHandle.standardInput.readDataToEndOfFile()
        let question = try JSONDecoder().decode(MacroQuestion.self, from: input)
        FileHandle.standardOutput.write(try JSONEncoder().encode(failures(question)))
    }

    /// What is not as `question` expects.
    private static func failures(_ question: MacroQuestion) -> [String] {
        var failures: [String] = []
        var specs = macros
        if question.statesConformance { specs["Model"] = MacroSpec(type: ModelMacro.self) }
        if question.inheritsModel {
            specs["Model"] = MacroSpec(type: ModelMacro.self, conformances: ["Model", "LiveModel"])
            specs["AbstractModel"] = MacroSpec(type: AbstractModelMacro.self, conformances: [])
        }
        var expected = question.expanded
        if expected == nil {
            expected = Parser.parse(source: question.source)
                .expand(macroSpecs: specs, contextGenerator: { BasicMacroExpansionContext(lexicalContext: $0.allMacroLexicalContexts()) })
                .description
        }
        let diagnostics = question.diagnostic.map { expected in
            DiagnosticSpec(
                message: expected.message, line: expected.line, column: expected.column,
                fixIts: expected.fix.map { [FixItSpec(message: $0)] } ?? [])
        }
        assertMacroExpansion(
            question.source, expandedSource: expected ?? "", diagnostics: diagnostics.map { [$0] } ?? [], macroSpecs: specs,
            fixedSource: question.diagnostic?.fixedSource, failureHandler: { failures.append($0.message) })
        return failures
    }
}
