import SwiftDiagnostics
import SwiftSyntax

/// What the macros can find wrong. Each has a name, which tools and tests can tell it by.
enum ModelDiagnostic: String {
    // The declaration
    case unsupportedKind, genericModel, genericContext, noncopyableModel, privateType, notFinal, finalAbstract, superclass, observableModel, isolatedModel,
        codableClass
    // Arguments of @Model
    case invalidName, invalidVersion
    // Properties
    case tuplePattern, lazyProperty, referenceProperty, unknownAttribute, initializedConstant, opaqueType, initAccessor
    case duplicateProperty, conditionalMember, transientWithoutDefault, impossibleName, takenStorageName, hiddenModule
    // Properties of classes
    case severalVariables, variableID, requiredTarget, optionalCollection, optionalTarget, untypedRelationship, observedRelationship, abstractInverse,
        notReference, noInitializer
    // @Attribute and @Transient
    case misplacedMark, repeatedMark, markOnID, markWithoutEffect, invalidOption, optionNeedsOptional
    case invalidOriginalName, takenOriginalName
    // What #Unique and the index macros name
    case misplacedDirective, invalidKeyPath, unknownProperty, unstoredProperty
    // #Unique(…, identity: true)
    case invalidIdentityArgument, repeatedIdentityProperty, untypedIdentityProperty, secondIdentity, identityBesideID, inheritedID, handwrittenInheritance,
        takenID
    // Indexes
    case emptyIndex, invalidIndexPart, repeatedIndexPart, invalidIndexName, takenIndexName, invalidIndexVersion
    case unorderedType, notText, notSummable, indexOnID, repeatedIndex, needlessIndex, handwrittenIndexes
}

extension ModelDiagnostic {
    /// How much of a model is written beside what is wrong with it.
    enum Rest: Comparable {
        /// Nothing, since it could not be compiled.
        case nothing
        /// A model without properties.
        case noProperties
        /// All but the properties that are wrong.
        case others
    }

    var rest: Rest {
        switch self {
        case .unsupportedKind, .genericModel, .genericContext, .noncopyableModel, .privateType, .hiddenModule: .nothing
        case .observableModel, .isolatedModel: .noProperties
        default: .others
        }
    }
}

extension Diagnostic {
    /// An error at the first token of `node`.
    init(_ diagnostic: ModelDiagnostic, _ message: String, at node: some SyntaxProtocol, fixIt: FixIt? = nil) {
        self.init(
            node: node,
            message: ModelDiagnosticMessage(diagnostic: diagnostic, message: message),
            fixIts: fixIt.map { [$0] } ?? [])
    }
}

private struct ModelDiagnosticMessage: DiagnosticMessage {
    let diagnostic: ModelDiagnostic
    let message: String

    var diagnosticID: MessageID { MessageID(domain: "Trove", id: diagnostic.rawValue) }
    var severity: DiagnosticSeverity { .error }
}
