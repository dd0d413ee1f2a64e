import Foundation

/// A collection whose members Foundation does not tell from the key paths of a predicate.
///
/// Each type writes its key paths itself: those that generic code makes do not equal those that a program writes.
protocol CollectionPaths {
    static var isEmptyPath: AnyKeyPath { get }
    static var countPath: AnyKeyPath { get }
}

extension Data: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Data.isEmpty }
    static var countPath: AnyKeyPath { \Data.count }
}

extension Dictionary: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.isEmpty }
    static var countPath: AnyKeyPath { \Dictionary.count }
}

extension Dictionary.Keys: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.Keys.isEmpty }
    static var countPath: AnyKeyPath { \Dictionary.Keys.count }
}

extension Dictionary.Values: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.Values.isEmpty }
    static var countPath: AnyKeyPath { \Dictionary.Values.count }
}

/// The keys or values of a dictionary.
protocol DictionaryView {
    static var part: CollectionPart { get }
}

extension Dictionary.Keys: DictionaryView {
    static var part: CollectionPart { .keys }
}

extension Dictionary.Values: DictionaryView {
    static var part: CollectionPart { .values }
}
