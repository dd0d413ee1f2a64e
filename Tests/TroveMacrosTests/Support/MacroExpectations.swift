import EngineSupport
import Foundation
import MacroQuestions
import Testing

/// Expects the macros in `source` to expand to `expanded`, without a diagnostic.
///
/// - Parameters:
///   - statesConformance: Whether the struct names the protocol itself, which the compiler would tell the macro.
///   - inheritsModel: Whether the class inherits an abstract model, which the compiler would tell the macro.
func expectExpansion(
    _ source: String, _ expanded: String, statesConformance: Bool = false, inheritsModel: Bool = false, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    expect(
        MacroQuestion(source: source, expanded: expanded, statesConformance: statesConformance, inheritsModel: inheritsModel), sourceLocation: sourceLocation)
}

/// Expects one diagnostic, at the marked place, with its fix-it if there is one.
///
/// - Parameter expanded: What the source expands to in spite of the mistake, when that matters.
func expectDiagnostic(_ testCase: DiagnosticCase, _ expanded: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let diagnostic = MacroQuestion.Diagnostic(
        message: testCase.message, line: testCase.line, column: testCase.column, fix: testCase.fixIt?.message,
        fixedSource: testCase.fixIt?.source)
    expect(MacroQuestion(source: testCase.source, expanded: expanded, inheritsModel: testCase.inheritsModel, diagnostic: diagnostic), name: testCase.name, sourceLocation: sourceLocation)
}

/// Asks the program in which the macros are.
private func expect(_ question: MacroQuestion, name: String? = nil, sourceLocation: Testing.SourceLocation) {
    do {
        let probe = Tool(at: try ProgramBesideTests.named("MacroProbe-tool"))
        let input = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
        let (status, output) = try probe.run([], input: input, includesErrors: false)
        #expect(status == 0, sourceLocation: sourceLocation)
        for failure in try JSONDecoder().decode([String].self, from: Data(output.utf8)) {
            Issue.record("\(name.map { $0 + ": " } ?? "")\(failure)", sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record("\(name ?? "the macros"): \(error)", sourceLocation: sourceLocation)
    }
}
