import Foundation
import Trove

/// What the samples of docs/mirror.md take for granted.
enum MirrorPage {
    static var store: ObjectStore { missing() }
}
