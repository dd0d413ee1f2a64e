import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TrovePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ModelMacro.self,
        AbstractModelMacro.self,
        AttributeMacro.self,
        RelationshipMacro.self,
        ActiveRecordMacro.self,
        TransientMacro.self,
        LiveFieldMacro.self,
        LiveRelationshipMacro.self,
        LiveLazyFieldMacro.self,
        UniqueMacro.self,
        IndexMacro.self,
        FullTextMacro.self,
        SubstringMacro.self,
    ]
}
