import SwiftSyntaxMacros

/// A macro whose expansion has its lines and spaces already.
///
/// Laying it out once more, as is done with a macro's expansion by default, took half of the time of an expansion, in every debug build of every application
/// with models.
protocol LaidOutMacro: Macro {}

extension LaidOutMacro {
    static var formatMode: FormatMode { .disabled }
}
