import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
    /// One replacement that keeps the spaces and comments around the old node.
    static func replacing<Node: SyntaxProtocol>(_ old: Node, with new: some SyntaxProtocol, _ message: String) -> FixIt {
        var replacement = Syntax(new)
        replacement.leadingTrivia = old.leadingTrivia
        replacement.trailingTrivia = old.trailingTrivia
        return FixIt(
            message: ModelFixItMessage(message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: replacement)])
    }
}

private struct ModelFixItMessage: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "Trove", id: message) }
}
