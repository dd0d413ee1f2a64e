import Trove

/// The samples of docs/active-record.md take nothing for granted.
enum ActiveRecordPage {}
