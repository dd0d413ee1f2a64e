import Trove

/// What the samples of docs/evolution.md take for granted.
enum EvolutionPage {
    static var store: ObjectStore { missing() }
}
