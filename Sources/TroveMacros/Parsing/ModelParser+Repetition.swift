import SwiftSyntax
import SwiftSyntaxMacros

extension ModelParser {
    /// Whether the attribute is the one that writes and reports: of several, each of which is expanded by itself, the first. Reports the second.
    mutating func isFirst(_ attribute: AttributeSyntax, of subject: ModelSubject) -> Bool {
        let marks = ["Model", "AbstractModel"].flatMap { name in subject.attributes.named(name).map { (name, $0) } }
        guard marks.count > 1 else { return true }
        guard attributeName == "@\(marks[0].0)", place(of: attribute) == place(of: marks[0].1) else { return false }
        report(.repeatedMark, "'\(subject.name.plainName)' is marked as a model twice; remove '@\(marks[1].0)'", at: marks[1].1)
        return true
    }

    /// The attribute that a macro is given and those of the declaration come from different trees, and have nothing in common but their place.
    private func place(of attribute: AttributeSyntax) -> String? {
        context.location(of: attribute).map { "\($0.line):\($0.column)" }
    }
}
