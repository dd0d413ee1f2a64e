import Trove
import TroveMirror
import TroveStoreTools

/// What to do on the command line about errors whose own words speak to programs.
enum CommandAdvice {
    static func text(for error: any Error) -> String? {
        switch error {
        case TroveError.unknownField(_, StoredModel.idName): "In criteria and orders the id is written id."
        case TroveError.unknownField: "'trove models' lists the properties. Texts stand in single quotes."
        case TroveError.alreadyExists: "'trove set' and 'trove edit' change what is stored."
        case MirrorError.manyFilesGone: "Here that is --allow-deletions."
        case TroveError.deletionDenied: "'trove find' shows them all, by a condition on the relationship."
        default: nil
        }
    }
}
